import { issueOrReopen, type Landed, landOn } from './issuance.ts';
import type { Link } from './link.ts';
import type { VerifyOptions } from './verify.ts';

/**
 * Signs in by a mailed link, once, and issues a key if one is requested. Undefined: the link was
 * used, has expired or does not exist.
 *
 * @throws ApiError `unavailable`; the link then still works.
 */
export function useLink(
  options: VerifyOptions,
  link: Link,
  wantsKey: boolean,
): Promise<Landed | undefined> {
  return options.registrationMetrics.verification('link', async () => {
    if (!(await options.registrations.useLink(link))) return undefined;
    return issueOrReopen(options, link.id, (email) => landOn(options, email, wantsKey));
  });
}

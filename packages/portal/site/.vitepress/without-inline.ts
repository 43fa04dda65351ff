import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransformContext } from 'vitepress';

const INLINE = /<script((?: type="module")?)([^>]*)>([^<]+)<\/script>/g;

/**
 * A page without inline scripts and styles, so that its Content-Security-Policy allows none: the
 * scripts in files, and the styles removed, because the stylesheet has them.
 */
export function withoutInline(html: string, _id: string, { siteConfig }: TransformContext): string {
  const page = html.replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, '');
  return page.replace(INLINE, (_all, type: string, _rest: string, code: string) => {
    const name = `assets/${createHash('sha256').update(code).digest('hex').slice(0, 16)}.js`;
    const file = join(siteConfig.outDir, name);
    if (!existsSync(file)) writeFileSync(file, code);
    return `<script${type} src="${siteConfig.site.base}${name}"></script>`;
  });
}

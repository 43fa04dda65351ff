export type { Liveness } from './liveness.ts';
export type { PageInput } from './page.ts';
export {
  type CompanyFacts,
  type CompanyPage,
  type Evidence,
  readCompanyPage,
} from './read-company-page.ts';
export type { SocialProfile } from './social-profiles.ts';

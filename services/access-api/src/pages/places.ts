/** The pages of the navigation. */
export const PLACES = Object.freeze({
  account: '/account',
  usage: '/account/usage',
  credits: '/account/credits',
});
export type Place = keyof typeof PLACES;

const SEARCH_BOX = /VPLocalSearchBox\.vue$/;

/** Roles of the search box of VitePress that contradict its content, and those that fit it. */
const ROLES = [
  ['role="button"', 'role="dialog" aria-modal="true"'],
  [`:aria-owns="results?.length ? 'localsearch-list' : undefined"\n      aria-expanded="true"`, ''],
  ['aria-haspopup="listbox"\n      aria-labelledby="localsearch-label"', 'aria-label="Search"'],
  [`:id="'localsearch-item-' + index"`, 'role="none"'],
  [`:aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"`, ''],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index"`,
  ],
] as const;

/** Makes the search a dialog whose options are the links, for screen readers. */
export const searchRoles = {
  name: 'search-roles',
  enforce: 'pre' as const,
  transform(source: string, id: string): string | undefined {
    if (!SEARCH_BOX.test(id)) return undefined;
    return ROLES.reduce((text, [found, fitting]) => {
      if (!text.includes(found)) throw new Error(`The search box of VitePress has no ${found}.`);
      return text.replace(found, fitting);
    }, source);
  },
};

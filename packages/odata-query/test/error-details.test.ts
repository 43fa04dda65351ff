/** The details of errors: code, position and field, then value, suggestion and path of the values. */
import { expect, test } from '@jest/globals';
import { bindFilter, type FieldSpec, fieldTable, parseFilter, QueryError } from '@vcds/odata-query';
import { FIELDS } from './example-table.ts';

const TODAY = '2026-03-31';
const OTHER: FieldSpec = {
  ...{ name: 'OperatingStatus', type: 'closed', filterable: true, sortable: false },
  closed: ['Active', 'Closed'].map((name) => ({ value: name, name, slug: name, label: name })),
};
const TABLE = fieldTable(
  [...FIELDS, OTHER].map((field) => ({
    ...field,
    synonyms: field.name === 'Tag' ? ['Industry', 'Sectors'] : undefined,
  })),
  'startup',
);

/** `filter → code position field → value → suggestion → path`; `-` for a detail that is absent. */
function described(source: string): string {
  try {
    const node = parseFilter(source, { fields: TABLE, today: TODAY });
    bindFilter(node, TABLE, { source, today: TODAY });
    return `${source} → accepted`;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, position, field = '-', value = '-', suggestion = '-', see } = error;
    const details = [`${code} ${position} ${field}`, value === '' ? '""' : value, suggestion];
    return [source, ...details, ...(see === undefined ? [] : [see])].join(' → ');
  }
}

const ERRORS = `
  Tag eq ('a','b') → bad_filter 4 Tag → eq ('a','b') → in ('a','b')
  Tag ne ('a','b') → bad_filter 4 Tag → ne ('a','b') → notin ('a','b')
  Tag eq [a, b] → bad_filter 4 Tag → eq [a, b] → in ('a','b')
  Tag gt ('a','b') → operator_not_supported 4 Tag → - → - → /categories/industry
  Name eq ('a' 'b') → bad_filter 8 Name → ( → -
  Confirmed eq (yes, no) → bad_filter 13 Confirmed → ( → -
  Founded eq (2010, 2011) → bad_filter 8 Founded → eq (2010, 2011) → in (2010,2011)
  Founded gt (2010, 2011) → bad_filter 11 Founded → ( → -
  LastFundingStage le 'Series A' → operator_not_supported 17 LastFundingStage → le 'Series A' → in ('Pre-seed','Seed','Series A') → /categories/stage
  LastFundingStage le Series A → operator_not_supported 17 LastFundingStage → le Series A → in ('Pre-seed','Seed','Series A') → /categories/stage
  LastFundingStage gt 4 → operator_not_supported 17 LastFundingStage → gt 4 → in ('Series B') → /categories/stage
  LastFundingStage ge 4 and Founded eq 1 → operator_not_supported 17 LastFundingStage → ge 4 → in ('Series A','Series B') → /categories/stage
  LastFundingStage gt 'Series B' → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  LastFundingStage gt Series B → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  LastFundingStage gt 'Bank' → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  LastFundingStage gt "a" "b" → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  LastFundingStage gt → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  LastFundingStage gt null → operator_not_supported 17 LastFundingStage → gt → ne → /categories/stage
  PrimarySource gt 'Media' → operator_not_supported 14 PrimarySource → - → -
  PrimarySource lt Media → operator_not_supported 14 PrimarySource → - → -
  LastFundingStage eq 'Active' → unknown_value 0 LastFundingStage → LastFundingStage eq 'Active' → OperatingStatus eq 'Active' → /categories/stage
  LastFundingStage ne 'active' → unknown_value 0 LastFundingStage → LastFundingStage ne 'active' → OperatingStatus ne 'Active' → /categories/stage
  LastFundingStage eq 'Organic' → unknown_value 0 LastFundingStage → LastFundingStage eq 'Organic' → PrimarySource eq 'Organic' → /categories/stage
  LastFundingStage eq 'fund website' → unknown_value 0 LastFundingStage → LastFundingStage eq 'fund website' → PrimarySource eq 'Fund website' → /categories/stage
  LastFundingStage eq 'organic' and Founded eq 1 → unknown_value 0 LastFundingStage → LastFundingStage eq 'organic' → PrimarySource eq 'Organic' → /categories/stage
  LastFundingStage in ('Active') → unknown_value 21 LastFundingStage → Active → - → /categories/stage
  LastFundingStage in ('Sead') → unknown_value 21 LastFundingStage → Sead → Seed → /categories/stage
  LastFundingStage eq 'Sead' → unknown_value 20 LastFundingStage → Sead → Seed → /categories/stage
  LastFundingStage eq 7 → unknown_value 20 LastFundingStage → 7 → - → /categories/stage
  LastFundingStage eq 'Bank' → unknown_value 20 LastFundingStage → Bank → - → /categories/stage
  OperatingStatus eq 'Seed' → unknown_value 0 OperatingStatus → OperatingStatus eq 'Seed' → LastFundingStage eq 'Seed' → /categories/stage
  OperatingStatus eq 'actve' → unknown_value 19 OperatingStatus → actve → Active
  Founded eq '2,010' → bad_filter 11 Founded → 2,010 → 2010
  Founded eq 'none' → bad_filter 11 Founded → none → -
  Founded eq 'soon' → bad_filter 11 Founded → soon → -
  Founded in (2010, '2,011') → bad_filter 18 Founded → 2,011 → 2011
  Founded gt null → operator_not_supported 8 Founded → gt → ne
  Founded gt null and Founded eq 2010 → operator_not_supported 8 Founded → gt → ne
  Confirmed gt null → operator_not_supported 10 Confirmed → gt → ne
  Confirmed gt yes → operator_not_supported 10 Confirmed → - → -
  Confirmed eq 'Yes' → bad_filter 13 Confirmed → Yes → true
  Tag gt null → operator_not_supported 4 Tag → gt → ne → /categories/industry
  Date eq 'today' → bad_date 8 Date → today → 2026-03-31
  Date eq '2012/9/3' → bad_date 8 Date → 2012/9/3 → 2012-09-03
  Date eq '' → bad_date 8 Date → "" → -
  Title eq 'x' → operator_not_supported 6 Title → eq → like
  Title eq x → operator_not_supported 6 Title → - → -
  Title eq null → operator_not_supported 6 Title → - → -
  Title ne 'x' → operator_not_supported 6 Title → - → -
  Title = 'x' → bad_filter 6 Title → = → like
  Title = 5 → operator_not_supported 6 Title → - → -
  Title == 'x' and Founded eq 1 → bad_filter 6 Title → == → like
  Title != 'x' → operator_not_supported 6 Title → - → -
  Name = 'x' → bad_filter 5 Name → = → eq
  Name == x → bad_filter 5 Name → == → eq
  Name => 'x' → operator_not_supported 5 Name → - → -
  Founded >= null → bad_filter 8 Founded → >= → ne
  Founded <> null → bad_filter 8 Founded → <> → ne
  Founded = 2010 → bad_filter 8 Founded → = → eq
  Founded = → bad_filter 8 Founded → = → eq
  Founded >= 2010 && Name eq 'x' → bad_filter 8 Founded → >= → ge
  Confirmed >= 1 → operator_not_supported 10 Confirmed → - → -
  Keywords ne 'x' → operator_not_supported 9 Keywords → - → -
  Keywords in ('x') → operator_not_supported 9 Keywords → - → -
  Founded like '2010' → operator_not_supported 8 Founded → like → eq
  Founded like '20%' → operator_not_supported 8 Founded → - → -
  LastFundingStage like 'Seed' → operator_not_supported 17 LastFundingStage → like → eq → /categories/stage
  LastFundingStage like 'Sead' → operator_not_supported 17 LastFundingStage → - → - → /categories/stage
  Id like 'x' → operator_not_supported 3 Id → - → -
  Name eq → bad_filter 7 Name → - → -
  Name eq New York → bad_filter 8 Name → New York → 'New York'
  Name eq (New York → bad_filter 5 Name → eq (New York → in ('New York')
  Name eq "Milk" and Founded eq 1 → bad_filter 8 Name → "Milk" → 'Milk'
  Name like acme* → bad_filter 10 Name → acme* → 'acme%'
  Name like → bad_filter 9 Name → - → -
  Name in 'a' → bad_filter 8 Name → 'a' → ('a')
  Name in a, b → bad_filter 8 Name → a, b → ('a','b')
  Name in → bad_filter 7 Name → - → -
  Tag notin a → bad_filter 10 Tag → a → ('a') → /categories/industry
  Tag notin 'a' and Founded eq 1 → bad_filter 10 Tag → 'a' → ('a') → /categories/industry
  Industry eq AI → unknown_field 0 Industry → - → Tag
  Industry gt 1 → unknown_field 0 Industry → - → Tag
  Nmae eq 'x' → unknown_field 0 Nmae → - → Name
  Description eq 'x' → field_not_filterable 0 Description → - → -
  AverageRoundAmount gt 5 → field_not_filterable 0 AverageRoundAmount → - → -
  Nothing eq 5 → unknown_field 0 Nothing → - → -
  Name eq 'O'Neil' → bad_filter 8 Name → 'O'Neil' → 'O''Neil'
  Name eq 'x' Tag eq 'y' → bad_filter 12 Name → Tag → and Tag
  Name eq 'a' or or Founded eq 1 → bad_filter 15 - → or → -
  TotalRaised gt 5M → bad_filter 15 TotalRaised → 5M → 5000000
  TotalRaised gt 5M and Name eq 'x' → bad_filter 15 TotalRaised → 5M → 5000000
  TotalRaised gt $1,000,000 or Name eq 'x' → bad_filter 15 TotalRaised → $1,000,000 → 1000000
  UpdatedTimeStamp ge yesterday → bad_filter 20 UpdatedTimeStamp → yesterday → 2026-03-30
  UpdatedTimeStamp ge '2012-02-30T10:00' → bad_date 20 UpdatedTimeStamp → 2012-02-30T10:00 → 2012-02-29
  Date ge 2012-02-30 → bad_date 8 Date → 2012-02-30 → 2012-02-29
  Date ge 30 days ago and Name eq 'x' → bad_filter 8 Date → 30 days ago → 2026-03-01
  Id eq Stripe → bad_filter 6 Id → Stripe → -
  Id eq '5f0c4f0e6c1b5d8a9d3e0b8f6f4f3c11' → bad_filter 6 Id → 5f0c4f0e6c1b5d8a9d3e0b8f6f4f3c11 → 5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11
  MembersCount eq 1.5 → bad_filter 16 MembersCount → 1.5 → -
  MembersCount eq '1.5' → bad_filter 16 MembersCount → 1.5 → -
  Share gt .5 → bad_filter 9 Share → .5 → 0.5
  contains(Name,'x') eq true → bad_filter 0 - → contains(Name,'x') eq true → Name like '%x%'
  contains(Name,'x') → bad_filter 0 - → contains(Name,'x') → Name like '%x%'
  startswith(Name,'x') and Founded eq 1 → bad_filter 0 - → startswith(Name,'x') → Name like 'x%'
  contains(Name 'x') → bad_filter 8 - → ( → -
  contains(Name,5) → bad_filter 8 - → ( → -
  substringof('x',Name) → bad_filter 11 - → ( → -
  Name startswith 'x' → bad_filter 5 Name → startswith 'x' → like 'x%'
  Name startswith x → bad_filter 5 Name → startswith → -
  Name endswith 'x' → bad_filter 5 Name → endswith 'x' → like '%x'
  Name contains 'x' → bad_filter 5 Name → contains → like
  Founded contains 2 → operator_not_supported 8 Founded → - → -
  Founded between 2010 and 2012 → bad_filter 8 Founded → between 2010 and 2012 → ge 2010 and Founded le 2012
  Founded between 2010 → bad_filter 8 Founded → between → -
  Name between 'a' and 'b' → operator_not_supported 5 Name → - → -
  Founded is null → bad_filter 8 Founded → is → eq
  Founded is not null → bad_filter 8 Founded → is not → ne
  Founded is 5 → bad_filter 8 Founded → is → eq
  Tag not in ('a') → bad_filter 4 Tag → not in → notin
  Tag not 'a' → bad_filter 4 - → not → -
  not Founded → bad_filter 11 - → - → -
  2010 lt Founded → bad_filter 0 - → 2010 lt Founded → Founded gt 2010
  'x' eq Name → bad_filter 0 - → 'x' eq Name → Name eq 'x'
  Founded gt 2010 and → bad_filter 19 - → - → -
  (Founded gt 2010 → bad_filter 16 - → - → -
  Founded gt 2010) → bad_filter 15 - → ) → -
  Founded gt 2,010 → bad_filter 11 Founded → 2,010 → 2010
  Name eq 'x'; → bad_filter 8 Name → 'x'; → 'x'';'
  Name eq 'a' & Founded eq 1 → bad_filter 12 Name → & → and
  Name eq 'a' | Founded eq 1 → bad_filter 12 Name → | → or
`;

test.each(ERRORS.trim().split(/\n */))('%s', (row) => {
  expect(described(row.split(' → ', 1)[0] ?? '')).toBe(row);
});

/** Sent to every client when it connects. */
export const INSTRUCTIONS = `Venture capital data: startups, funds, funding rounds, valuations, people, news, and a feed of changes. \
Calls cost credits of the user's account; errors, describe_data, price_of_call and check_balance are free. \
Every answer has credits: charged and remaining; cut says how to read what was shortened.

1. Take ids from answers, never invent them. find_company returns the id for a name or website.
2. To count, use count_records or count_by_category; for sums, medians, rankings and time series use aggregate_records (1 credit for any number). Do not list records to add them up.
3. Filter on the service. The price is per record: keep top small, and sort with orderby for "largest" or "latest".
4. Every record of a page is shown and charged, and long ones are shortened. More follow after next_cursor: repeat the call with cursor.
5. Prefer narrow to filter for countries, cities, tags and stages: a value that does not occur is a free error with a suggestion, in a filter it is an empty answer. count_by_category with one dimension and search finds a spelling.
6. A profile with its rounds, investors and people is one get_record with expand, not several calls.
7. If a call could cost more than the user expects, ask price_of_call first. max_credits limits each call.
8. An error names the argument to change, often with a suggestion or the allowed values. Correct it and repeat once. An unchanged call returns the same answer and costs again.
9. Amounts are whole US dollars. null means unknown, not zero. Stages and headcounts are labels.
10. Deletes, the fields that changed and files with all records are no tools: for a copy of the data name GET /changes and GET /snapshots of the HTTP API, and /odata/v4 for Excel or Power BI.`;

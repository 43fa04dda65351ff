import { table, words } from './table.ts';

/** Synonyms of the parameters of all endpoints. */
export const PARAMETER_SYNONYMS = table({
  $top: words(`
    limit per_page page_size size count take max n rows results first max_results num $limit
    results_per_page max_items top_n
  `),
  $skip: words('offset start from skip_rows start_index $offset after'),
  $filter: words('where query filters $where conditions filter_by predicate'),
  $select: words('fields columns attributes properties $fields only select_fields'),
  $expand: words('include embed with expands relations join populate includes'),
  $orderby: words('sort sort_by order order_by ordering $sort $order'),
  $count: words('total include_count with_count $inlinecount count_only totals'),
  top: words(`
    limit $top per_page page_size size count take max n rows results first max_results num
  `),
  skip: words('offset start $skip from'),
  limit: words('$top top per_page page_size size count take max n max_results num first'),
  cursor: words(`
    next next_cursor page_token after continuation token_next next_token starting_after
    start_cursor
  `),
  order: words('sort $orderby direction sort_order order_by dir sort_by'),
  types: words('type event event_type signal signal_type kind event_types'),
  since: words(`
    from start start_date after date_from detected_since from_date detected_after begin date
    updated_since
  `),
  until: words('to end end_date before date_to detected_until to_date till'),
  occurredSince: words('occurred_after occurred_from occurred_at'),
  occurredUntil: words('occurred_before occurred_to'),
  subject: words(`
    subject_id startup startup_id company company_id fund fund_id id ids entity_id watch
    subjects
  `),
  minAmount: words('amount amount_min minimum_amount min amount_gte'),
  expand: words('include embed $expand with'),
  q: words(`
    query search name term text keyword company query_string s $search company_name searchterm
    prefix starts_with
  `),
  website: words('url domain site homepage web host link website_url'),
  fields: words('$select select columns attributes'),
  dimensions: words('dimension facet facets group_by by aggregations axes breakdown'),
  entity: words('type resource of collection kind entities entity_type'),
  quote: words('dry_run estimate preview price_only cost_only explain'),
  counts: words('count with_counts include_counts show_counts $count'),
});

/** Synonyms of path segments. */
export const PATH_SYNONYMS = table({
  startups: words('companies company organizations organisation business startup'),
  funds: words('investors investor vcs vc venture_funds firms fund'),
  'startups/fundingrounds': words('rounds funding_rounds deals investments fundings'),
  'startups/postvaluations': words('valuations post_valuations post_money valuation'),
  persons: words('people founders team members employees contacts person'),
  news: words('articles mentions press article new media'),
  signals: words('events changes feed changefeed signal updates stream activity'),
  categories: words('dimensions facets category taxonomies'),
  'categories/industry': words('industries tags sectors verticals'),
  'categories/country': words('countries'),
  'categories/city': words('cities'),
  'categories/stage': words('stages'),
  'companies/search': words('search lookup query autocomplete suggest'),
  pricing: words('prices rates plans price'),
  portfolio: words('startups companies investments holdings company'),
  fundingrounds: words('rounds deals investments funding'),
  postvaluations: words('valuations valuation'),
  references: words('sources evidence provenance'),
});

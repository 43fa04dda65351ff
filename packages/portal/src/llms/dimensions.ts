/** Dimensions and closed lists, from their tables. */
import {
  DIMENSIONS,
  ENTITY_IDS,
  memberBuckets,
  personRoles,
  primarySources,
  stages,
} from '@vcds/venture-model';

/** One line for each dimension. */
export function dimensionLines(): string[] {
  return DIMENSIONS.map(({ id, kind, entities, filterField, description }) => {
    return `- \`${id}\` (${kind}; ${entities.join(', ')}; field \`${filterField}\`): ${description}`;
  });
}

/** The entities of categories. */
export const ENTITIES = ENTITY_IDS.map((id) => `\`${id}\``).join(', ');

/** One line for each closed list that has numbers or several spellings. */
export function closedLines(): string[] {
  const numbered = (list: typeof stages) =>
    list.map(({ value, slug, label }) => `${value} ${slug}${differs(slug, label)}`).join(', ');
  const ordered = stages.filter(({ unordered }) => !unordered).map(({ value }) => value);
  const short = DIMENSIONS.filter(
    ({ closed }) => closed && ![stages, memberBuckets].includes(closed),
  );
  return [
    `- Stage (\`stage\`, \`next_stage\`, \`investment_stage\`, \`round_stage\`): ${numbered(stages)}. Rising maturity: ${ordered.join(', ')}.`,
    `- HeadcountBucket (\`team_size\`): ${memberBuckets.map(({ value, label }) => `${value} = ${label}`).join(', ')}`,
    ...short.map(({ id, closed = [] }) => {
      const values = closed.map(({ value, slug }) =>
        value === slug ? value : `${value} (${slug})`,
      );
      return `- \`${id}\`: ${values.join(', ')}`;
    }),
    `- PrimarySource: ${primarySources.map(({ value }) => value).join(', ')}`,
    `- PersonRole: ${personRoles.map(({ value }) => value).join(', ')}`,
  ];
}

// Only labels that a reader cannot derive from the slug.
function differs(slug: string, label: string): string {
  const derived = label.toLowerCase().replaceAll(' ', '-');
  return slug === derived ? '' : ` (${label})`;
}

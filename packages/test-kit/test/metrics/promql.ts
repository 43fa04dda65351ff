import { parser } from '@prometheus-io/lezer-promql';

/** One line for each query that is not PromQL. */
export function errorsOfQuery(query: string): readonly string[] {
  const errors: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from }) => {
      if (type.isError && errors.length === 0) errors.push(`${query}: error at ${from}`);
    },
  });
  return errors;
}

/** The names of the series that a query reads. */
export function seriesIn(query: string): readonly string[] {
  return textsOf(query, 'Identifier', 'VectorSelector');
}

/** The labels that a query matches or groups by. */
export function labelsIn(query: string): readonly string[] {
  return textsOf(query, 'LabelName');
}

function textsOf(query: string, type: string, parent?: string): readonly string[] {
  const texts: string[] = [];
  parser.parse(query).iterate({
    enter: (node) => {
      if (node.type.name !== type) return;
      if (parent === undefined || node.node.parent?.name === parent) {
        texts.push(query.slice(node.from, node.to));
      }
    },
  });
  return texts;
}

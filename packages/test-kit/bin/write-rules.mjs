// Writes docker/observe/rules.yml: the rules of the PrometheusRules of Kubernetes, as Prometheus reads them.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const root = new URL('../../../', import.meta.url);
const groups = ['slo-rules', 'alerts'].flatMap((name) => {
  const file = new URL(`infra/kubernetes/components/monitoring/${name}.yaml`, root);
  return parse(readFileSync(file, 'utf8')).spec.groups;
});
const COMMENT = '# Written by `npm run describe`. Replace OWNER and REPOSITORY in runbook_url.\n';
const text = stringify({ groups }, { lineWidth: 0 });
writeFileSync(new URL('docker/observe/rules.yml', root), `${COMMENT}${text}`);

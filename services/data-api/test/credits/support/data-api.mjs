// data-api as it is deployed, but that its holds last as many milliseconds as the argument says.
import { LEDGER_TIMES } from '@vcds/metering';
import { readDataApiConfig, startDataApi } from '../../../dist/index.js';

const holdMs = Number(process.argv[2]);
await startDataApi(readDataApiConfig(process.env), {
  ledger: { times: { ...LEDGER_TIMES, holdMs } },
});

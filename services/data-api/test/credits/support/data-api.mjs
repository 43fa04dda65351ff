// data-api with holds that expire after the milliseconds of the argument.
import { LEDGER_TIMES } from '@vcds/metering';
import { readDataApiConfig, startDataApi } from '../../../dist/index.js';

const holdMs = Number(process.argv[2]);
await startDataApi(readDataApiConfig(process.env), {
  ledger: { times: { ...LEDGER_TIMES, holdMs } },
});

// A publisher as a process of its own; says on its output when it leads.
import { SignalPublisher } from '../../dist/signals/index.js';

const quiet = () => undefined;
SignalPublisher.start({
  connectionString: process.env.DATABASE_URL,
  logger: { info: quiet, warn: quiet },
  measures: {
    published: quiet,
    failed: quiet,
    leads: (isLeading) => process.stdout.write(`${isLeading ? 'leads' : 'rests'}\n`),
  },
});

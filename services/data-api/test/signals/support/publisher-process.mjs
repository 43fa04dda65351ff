// A publisher as a process of its own; says on its output when it leads.
import { SignalPublisher } from '../../../dist/worker/publish-signals/publisher.js';

const quiet = () => undefined;
new SignalPublisher({
  connectionString: process.env.DATABASE_URL,
  logger: { info: quiet, warn: quiet },
  metrics: {
    published: quiet,
    failed: quiet,
    leads: (isLeading) => process.stdout.write(`${isLeading ? 'leads' : 'rests'}\n`),
  },
});

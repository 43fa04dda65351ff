/** Publishes all changes in both outboxes and of the back-fill, in place of a publisher. */
export { publishAll as publishOutbox } from '../../src/worker/publish-signals/publish-all.ts';

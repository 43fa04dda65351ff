export type * from './lines.ts';
export { recordId } from './record-id.ts';

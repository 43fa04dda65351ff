import type { AndNode } from './and-node.ts';
import type { CompareNode } from './compare-node.ts';
import type { InNode } from './in-node.ts';
import type { LikeNode } from './like-node.ts';
import type { NotNode } from './not-node.ts';
import type { OrNode } from './or-node.ts';

/** One comparison: the leaves of a filter. */
export type TermNode = CompareNode | InNode | LikeNode;

/** A parsed filter: frozen, with positions, knowing nothing of any resource. */
export type FilterNode = AndNode | OrNode | NotNode | TermNode;

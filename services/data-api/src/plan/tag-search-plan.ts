/** Tags that begin with a text, then those that contain it (decisions §5). */
export interface TagSearchPlan {
  readonly kind: 'tagSearch';
  readonly q: string;
  readonly top: number;
}

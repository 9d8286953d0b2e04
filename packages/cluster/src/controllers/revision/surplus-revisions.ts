import { byRevision, type RevisionView } from "./revision-view.js";

/** The oldest revisions that are not live, beyond the history limit. */
export function surplusRevisions(
  revisions: readonly RevisionView[],
  isLive: (revision: RevisionView) => boolean,
  limit: number,
): readonly RevisionView[] {
  const history = revisions.filter((revision) => !isLive(revision)).sort(byRevision);
  return history.slice(0, Math.max(0, history.length - limit));
}

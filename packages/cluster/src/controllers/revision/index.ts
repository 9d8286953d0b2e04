/**
 * Templates that StatefulSets and DaemonSets had before, kept as ControllerRevisions.
 *
 * @module
 */
export {
  byRevision,
  type NewRevision,
  nextRevision,
  type RevisionView,
  revisionData,
  templateOf,
} from "./revision-view.js";
export { surplusRevisions } from "./surplus-revisions.js";

/**
 * ControllerRevisions: the template history of StatefulSets and DaemonSets.
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

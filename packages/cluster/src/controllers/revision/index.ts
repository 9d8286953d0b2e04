/**
 * Templates that StatefulSets and DaemonSets had before, kept as ControllerRevisions.
 *
 * @module
 */
export { goJson } from "./go-json.js";
export { revisionHash } from "./revision-hash.js";
export {
  byRevision,
  type NewRevision,
  nextRevision,
  type RevisionView,
  revisionData,
  templateOf,
} from "./revision-view.js";
export { surplusRevisions } from "./surplus-revisions.js";

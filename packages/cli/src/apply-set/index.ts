/**
 * Objects that are applied, pruned and deleted together.
 *
 * @module
 */
export { type AppliedObject, ApplySet } from "./apply-set.js";
export type { ApplySetParent } from "./identity.js";
export type { Member } from "./member.js";

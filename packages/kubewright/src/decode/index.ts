/**
 * Bytes of an API server to objects: lists and watch events by the thousand, of which readers look at little.
 *
 * Takes: JSON as it came. Gives: objects whose large parts are parsed when they are first read. Used by: `../transport/index.ts`
 *
 * @module
 */
export { decodeEvent } from "./decode-event.js";
export { decodeList } from "./decode-list.js";
export { withProperties } from "./lazy-object.js";

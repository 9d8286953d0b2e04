/**
 * Decodes lists and watch events lazily: there are thousands, and readers use few of their fields.
 *
 * Takes: JSON bytes. Gives: objects whose large fields are parsed on first read. Used by: `../transport/index.ts`
 *
 * @module
 */
export { decodeEvent } from "./decode-event.js";
export { decodeList } from "./decode-list.js";
export { withProperties } from "./lazy-object.js";

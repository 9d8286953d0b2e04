/**
 * How Go's JSON decoder reads the structs of built-in kinds. Clients rely on these rules, so they are imitated on purpose.
 *
 * Unknown fields are found and dropped. Nulls, empty lists and empty maps vanish. Quantities, times, int-or-strings and base64 are checked
 * and written in their canonical form. A value of a wrong type is rejected by a message that names its field.
 *
 * Takes: drafts and schemas. Gives: decoded drafts, and what was wrong with them. A leaf: it imports no verb and no kind.
 *
 * @module
 */
export { type Decoded, decodeBuiltin } from "./decode.js";
export { jsonTypeOf } from "./scalars.js";

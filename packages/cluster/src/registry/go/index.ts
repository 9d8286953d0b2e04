/**
 * Decodes built-in kinds as Go's JSON decoder does. Clients rely on its rules.
 *
 * Unknown fields are reported and dropped. Nulls, empty lists and empty maps are dropped. Quantities, times, int-or-strings and base64 are
 * validated and canonicalized. A value of the wrong type is rejected with a message that names its field.
 *
 * Takes: drafts and schemas. Gives: decoded drafts, and their errors. A leaf: it imports no verb and no kind.
 *
 * @module
 */
export { type Decoded, decodeBuiltin } from "./decode.js";
export { jsonTypeOf } from "./scalars.js";

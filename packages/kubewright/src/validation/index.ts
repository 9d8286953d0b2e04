/**
 * Validation of custom resources without a server. Separate from the definitions, because it needs the CEL engine, which operators do not load.
 *
 * @module
 */
export { checkFields, checkLocally, type LocalCheck } from "./local-checks.js";
export { requireValidRules } from "./valid-rules.js";

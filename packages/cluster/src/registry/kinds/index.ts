/**
 * What makes each built-in kind differ from others: one file for each kind, and the building blocks that they share.
 *
 * Takes: drafts of objects, decoded. Gives: defaults, what breaks the kind's rules, columns. A kind without a file of its own is `generic`.
 *
 * @module
 */
export { localApiServices } from "./api-service.js";
export { defaultFlowSchemas, defaultPriorityLevels } from "./flow-defaults.js";
export { emptyGoValue, settleGoValues } from "./go-values.js";
export { type KindEntry, kindOf } from "./kind-table.js";
export { systemPriorityClasses } from "./priority-class.js";
export { serviceRange } from "./service-addresses.js";

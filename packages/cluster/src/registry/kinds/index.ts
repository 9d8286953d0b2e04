/**
 * The strategies of the built-in kinds: a folder for each API group, a file or folder for each kind.
 *
 * Takes: decoded drafts of objects. Gives: defaults, validation errors, columns. A kind without a file has the strategy `generic`.
 *
 * @module
 */
export {
  type AdmissionVariables,
  admissionStructs,
  admissionVariables,
  compileCondition,
} from "./admissionregistration/admission-expressions.js";
export { type CompiledPolicy, compilePolicy, type PolicySpec } from "./admissionregistration/policy-expressions.js";
export { localApiServices } from "./apiregistration/api-service.js";
export { requestedStorage } from "./core/persistent-volume-claim/requested-storage.js";
export { classAnnotation, classOf } from "./core/persistent-volume-claim/storage-class-name.js";
export { defaultServiceCidr } from "./core/service/service-addresses.js";
export { type KindEntry, kindOf } from "./kind-table.js";
export { systemPriorityClasses } from "./scheduling/priority-class.js";

/**
 * Label and field selectors.
 *
 * @module
 */
export { type FieldRequirement, type FieldSelector, parseFieldSelector } from "./field-selector.js";
export { labelKeyProblems, labelValueProblems } from "./label-names.js";
export { type LabelOperator, type LabelRequirement, type Labels, labelRequirement } from "./label-requirement.js";
export {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFrom,
  parseLabelSelector,
} from "./label-selector.js";

/**
 * Checks that several kinds share: field values, names, label selectors, resource quantities, network addresses, conditions.
 *
 * Takes: parts of decoded objects. Gives: field errors and warnings.
 *
 * @module
 */
export { addressWarnings, rangeWarnings } from "./address-warnings.js";
export { changedPaths } from "./changed-paths.js";
export { checkConditions } from "./conditions.js";
export {
  checkEnum,
  checkName,
  checkNotNegative,
  checkOneOf,
  checkOptionalEnum,
  checkOptionalName,
  checkPresent,
  checkRange,
  checkRequiredName,
  type Errors,
  entriesAt,
  immutable,
  notNegative,
} from "./field-checks.js";
export { amountOf, checkIntOrPercent, checkNotMoreThan100Percent } from "./int-or-percent.js";
export { checkLabelSelector, isEmptySelector, printLabels, printSelector, selects } from "./label-selectors.js";
export {
  addressNumber,
  addressRange,
  containsRange,
  ipAddress,
  isVersion6,
  parseRange,
  specialAddress,
  strictAddress,
  strictRange,
} from "./network-values.js";
export {
  checkAnyName,
  checkContainerName,
  checkPodResourceName,
  checkQuantity,
  checkQuotaName,
  checkResources,
  isHugePages,
  isOvercommitAllowed,
  isQuotaName,
  quantityOf,
} from "./resource-quantities.js";
export { checkTemplateMetadata } from "./template-metadata.js";
export {
  checkAccount,
  checkDescendingPath,
  checkDomainPath,
  checkDriverName,
  checkFileMode,
  checkFilePath,
  checkNoBacksteps,
  checkPortNumber,
  checkPortOrName,
  headerName,
  portName,
  variableName,
} from "./value-rules.js";

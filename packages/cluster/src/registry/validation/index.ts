/**
 * Validation that several kinds share: field values, names, label selectors, resource quantities, network addresses, conditions.
 *
 * Takes: parts of decoded objects. Gives: field errors and warnings.
 *
 * @module
 */
export { addressWarnings, cidrWarnings } from "./address-warnings.js";
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
export { checkIntOrPercent, checkNotMoreThan100Percent, intOrPercentValue } from "./int-or-percent.js";
export { checkLabelSelector, isEmptySelector, printLabels, printSelector, selects } from "./label-selectors.js";
export {
  canonicalAddress,
  canonicalCidr,
  checkNonSpecialIP,
  cidrValue,
  containsCidr,
  ipAddress,
  isIPv6Address,
  parseAddress,
  parseCidr,
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
  checkCsiDriverName,
  checkDescendingPath,
  checkDomainPath,
  checkFileMode,
  checkFilePath,
  checkId,
  checkNoBacksteps,
  checkPortNumber,
  checkPortOrName,
  headerName,
  portName,
  variableName,
} from "./value-rules.js";

/**
 * CustomResourceDefinitions: generating, installing and migrating them, and validating and converting objects without a server.
 *
 * @module
 */
export {
  type ConversionWebhook,
  type CrdOptions,
  type CustomResourceDefinition,
  type CustomResourceVersion,
  convertObject,
  crdOf,
  type ResourceDefinition,
  type ServedConversion,
  type ServedDefinition,
  type ServedVersion,
  unsafeChanges,
  type WebhookService,
} from "../definition/index.js";
export {
  type InstallOptions,
  type InstallSettings,
  installCRDs,
  type MigrateOptions,
  type MigrationProgress,
  type MigrationReport,
  migrateStored,
  switchClientConfig,
} from "../manager/index.js";
export { checkLocally, type LocalCheck, requireValidRules } from "../validation/index.js";

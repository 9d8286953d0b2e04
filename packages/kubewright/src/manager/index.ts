/**
 * Starts and stops the stages, as one process.
 *
 * @module
 */

export type { PrunedKind } from "./compare-definitions.js";
export type { ClusterConnection } from "./connect-clusters.js";
export type { HealthCheck } from "./health-checks.js";
export {
  type InstallOptions,
  type InstallSettings,
  installCRDs,
  type StartInstallOptions,
} from "./install-crds.js";
export type { LogLevel } from "./leveled-logger.js";
export type { SecureMetricsOptions } from "./metrics-endpoint.js";
export { type MigrateOptions, type MigrationProgress, type MigrationReport, migrateStored } from "./migrate-stored.js";
export type { WebhookServingOptions } from "./open-webhooks.js";
export { type Operator, type OperatorOptions, operator } from "./operator.js";
export type { RunFromArgsOptions } from "./run-from-args.js";
export type { RunOptions } from "./run-operator.js";
export type { RunFilter, RunningOperator } from "./running-operator.js";
export type { StartCluster, StartOptions } from "./start-options.js";
export { switchClientConfig } from "./switch-client-config.js";
export type { Task, TaskContext } from "./task.js";
export type { CertificateChoice, WebhookCertificateOptions } from "./webhook-certificate.js";

/**
 * Test environments for operators: one cluster per test, in virtual time, embedded or real.
 *
 * @module
 */
export { PodStage, type PodStageSpec, silentAnnotation, simulatedAnnotation } from "@kubewright/cluster/simulation";
export { type AdmitRequest, type Admitted, admit } from "./admission/index.js";
export { type ConversionCheckOptions, type ConversionReport, checkConversions } from "./conversions/index.js";
export { type PermissionCheckOptions, type PermissionDifferences, PermissionLog } from "./permissions/index.js";
export { type RandomValueOptions, randomValue, seededRandom } from "./random/index.js";
export {
  type ConditionsByType,
  type ManifestPaths,
  type OperatorTestOptions,
  type ServedCluster,
  type SettleOptions,
  type SimulatedCommand,
  type SimulatedExec,
  type TestCluster,
  type TestClusterOptions,
  testCluster,
} from "./test-cluster/index.js";

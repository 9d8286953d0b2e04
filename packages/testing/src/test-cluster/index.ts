/**
 * A cluster for one test, in virtual time, embedded or real.
 *
 * @module
 */
export type { ManifestPaths } from "./apply-manifests.js";
export type { ServedCluster } from "./backend.js";
export type { OperatorTestOptions } from "./operator-under-test.js";
export type { SimulatedCommand, SimulatedExec } from "./simulated-exec.js";
export {
  type ConditionsByType,
  type SettleOptions,
  type TestCluster,
  type TestClusterOptions,
  testCluster,
} from "./test-cluster.js";

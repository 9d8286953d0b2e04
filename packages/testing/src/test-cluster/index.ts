/**
 * A cluster for one test, in virtual time, embedded or real.
 *
 * @module
 */
export {
  type ConditionsByType,
  type SettleOptions,
  type TestCluster,
  type TestClusterOptions,
  testCluster,
} from "./test-cluster.js";

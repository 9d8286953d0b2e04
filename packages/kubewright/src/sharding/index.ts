/**
 * Sharding: distributes the objects of an operator over its replicas. Each key has at most one owner.
 *
 * @module
 */
export { Sharding } from "./sharding.js";
export { type ShardingOptions, type ShardingSettings, shardingSettings } from "./sharding-options.js";

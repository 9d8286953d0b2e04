/**
 * The objects of one operator, shared among its replicas: each key has one owner, or none for a while.
 *
 * @module
 */
export { Sharding } from "./sharding.js";
export { type ShardingOptions, type ShardingSettings, shardingSettings } from "./sharding-options.js";

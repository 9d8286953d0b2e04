import { OperatorError } from "@kubewright/core/errors";
import { type LeaderElectionOptions, type LeaseSettings, leaseSettings } from "../lease/index.js";
import { memberLeaseName } from "./shard-leases.js";

/** Sharding of an operator's replicas. The durations apply to each replica's own Lease. */
export interface ShardingOptions extends LeaderElectionOptions {
  /**
   * Number of shards, at most 10,000. Choose more than the maximum number of replicas. The first replica stores it and it applies to all; to change
   * it, stop all replicas and delete the Lease `<name>-shards`. @default 32
   */
  readonly shards?: number;
}

/** Complete and validated settings. */
export interface ShardingSettings {
  readonly name: string;
  readonly shards: number;
  /** The settings of this replica's own lease. */
  readonly member: LeaseSettings;
}

/** Applies defaults and validates the options. Rejects with CONFIG_INVALID if they are invalid or the namespace is unknown. */
export async function shardingSettings(options: ShardingOptions, operatorName: string): Promise<ShardingSettings> {
  const { shards = 32, ...rest } = options;
  if (!Number.isInteger(shards) || shards < 1 || shards > 10_000)
    throw new OperatorError("CONFIG_INVALID", 'Cannot set up sharding: "shards" must be an integer from 1 to 10,000');
  const settings = await leaseSettings(rest, operatorName);
  const member = { ...settings, name: memberLeaseName(settings.name, settings.identity) };
  return { name: settings.name, shards, member };
}

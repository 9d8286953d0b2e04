import { OperatorError } from "@kubewright/core/errors";
import { type LeaderElectionOptions, type LeaseSettings, leaseSettings } from "../lease/index.js";
import { memberLeaseName } from "./shard-leases.js";

/** How several replicas share the work. The times are those of each replica's own Lease. */
export interface ShardingOptions extends LeaderElectionOptions {
  /**
   * Into how many shards the objects are divided, at most 10,000: more than there will ever be replicas. The first replica writes it down, and it
   * holds for all; to change it, stop all of them and delete the Lease `<name>-shards`. @default 32
   */
  readonly shards?: number;
}

/** Complete and checked settings. */
export interface ShardingSettings {
  readonly name: string;
  readonly shards: number;
  /** Of this replica's own lease. */
  readonly member: LeaseSettings;
}

/** Completes and checks the options. Rejects with CONFIG_INVALID when they make no sense, or no namespace is known. */
export async function shardingSettings(options: ShardingOptions, operatorName: string): Promise<ShardingSettings> {
  const { shards = 32, ...rest } = options;
  if (!Number.isInteger(shards) || shards < 1 || shards > 10_000)
    throw new OperatorError(
      "CONFIG_INVALID",
      'Cannot share the work: "shards" must be a whole number from 1 to 10,000',
    );
  const settings = await leaseSettings(rest, operatorName);
  const member = { ...settings, name: memberLeaseName(settings.name, settings.identity) };
  return { name: settings.name, shards, member };
}

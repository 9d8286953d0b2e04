import { createHash } from "node:crypto";
import type { Clock } from "@kubewright/core/clock";
import { isAlreadyExists, isConflict, isNotFound, OperatorError } from "@kubewright/core/errors";
import type { Client } from "../client/index.js";
import type { ReadOf } from "../definition/index.js";
import { Lease } from "../k8s/coordination/v1.gen.js";
import {
  boundedRequest,
  heldRecord,
  holderOf,
  type LeaseSettings,
  releasedRecord,
  requestTimeoutMs,
} from "../lease/index.js";
import type { MembersList } from "./members.js";

type ReadLease = ReadOf<typeof Lease>;

/** Options of {@link ShardLeases}. */
export interface ShardLeasesOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The prefix of all lease names. */
  readonly name: string;
  /** The settings of this member's own lease. */
  readonly settings: LeaseSettings;
}

/** A snapshot of all leases of a sharding. */
export interface ShardingState {
  readonly members: MembersList;
  /** By shard; shards that were never acquired are missing. */
  readonly shards: ReadonlyMap<number, ReadLease>;
}

/** Returns the name of a member's lease. */
export function memberLeaseName(sharding: string, identity: string): string {
  return `${sharding}-member-${createHash("sha256").update(identity).digest("hex").slice(0, 16)}`;
}

const countAnnotation = "kubewright-shards";

/** Reads and writes the leases of a sharding. Every request has a timeout. */
export class ShardLeases {
  readonly #options: ShardLeasesOptions;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
  }

  /**
   * Returns the number of shards that the first replica wrote, regardless of `desired`. With two different numbers, a key would be in two shards and
   * have two owners.
   */
  async count(desired: number, signal: AbortSignal): Promise<number> {
    const { client, settings } = this.#options;
    const key = { namespace: settings.namespace, name: `${this.#options.name}-shards` };
    const found = await this.#within(signal, (both) => client.find(Lease, key, { signal: both }));
    if (found !== undefined) return countOf(found);
    const metadata = { ...key, annotations: { [countAnnotation]: String(desired) } };
    try {
      return countOf(
        await this.#within(signal, (both) => client.create(Lease, { metadata, spec: {} }, { signal: both })),
      );
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return countOf(await this.#within(signal, (both) => client.get(Lease, key, { signal: both })));
    }
  }

  /** Reads a consistent snapshot, taken between `sentMs` and `receivedMs`. */
  async read(signal: AbortSignal): Promise<ShardingState> {
    const { client, clock, name, settings } = this.#options;
    const sentMs = clock.monotonic();
    const leases = await this.#within(signal, async (both) => {
      const all: ReadLease[] = [];
      // Without a resourceVersion, for the most recent state; consistent, so that all pages are from one snapshot.
      const pages = client.list(Lease, { namespace: settings.namespace, consistent: true, signal: both });
      for await (const lease of pages) if (lease.metadata.name.startsWith(`${name}-`)) all.push(lease);
      return all;
    });
    const receivedMs = clock.monotonic();
    const shards = new Map<number, ReadLease>();
    const members: ReadLease[] = [];
    for (const lease of leases) {
      const rest = lease.metadata.name.slice(name.length + 1);
      const [, shard] = /^shard-(\d{1,5})$/.exec(rest) ?? [];
      if (shard !== undefined) shards.set(Number(shard), lease);
      else if (/^member-[0-9a-f]{16}$/.test(rest)) members.push(lease);
    }
    return { members: { leases: members, sentMs, receivedMs }, shards };
  }

  /** Acquires a shard, based on the lease that was read. False on a conflict. */
  async take(shard: number, before: ReadLease | undefined, signal: AbortSignal): Promise<boolean> {
    const { client, clock, name, settings } = this.#options;
    const { identity, namespace, timing } = settings;
    const spec = heldRecord(before?.spec, { identity, leaseDurationMs: timing.leaseDurationMs, nowMs: clock.now() });
    return this.#written(signal, (both) =>
      before === undefined
        ? client.create(Lease, { metadata: { namespace, name: `${name}-shard-${shard}` }, spec }, { signal: both })
        : client.update(Lease, { metadata: before.metadata, spec }, { signal: both }),
    );
  }

  /** Releases a shard if its lease still names this replica. */
  async release(shard: number, signal: AbortSignal): Promise<void> {
    const { client, clock, name, settings } = this.#options;
    const key = { namespace: settings.namespace, name: `${name}-shard-${shard}` };
    const lease = await this.#within(signal, (both) => client.find(Lease, key, { signal: both }));
    if (lease?.spec === undefined || holderOf(lease.spec) !== settings.identity) return;
    const released = { metadata: lease.metadata, spec: releasedRecord(lease.spec, clock.now()) };
    await this.#written(signal, (both) => client.update(Lease, released, { signal: both }));
  }

  /** Deletes the lease of an expired member; a conflict is not an error. */
  async removeMember(lease: ReadLease, signal: AbortSignal): Promise<void> {
    const { namespace = "", name, uid, resourceVersion } = lease.metadata;
    const preconditions = { uid, resourceVersion };
    await this.#written(signal, (both) =>
      this.#options.client.delete(Lease, { namespace, name }, { preconditions, signal: both }),
    );
  }

  async #written(signal: AbortSignal, write: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    try {
      await this.#within(signal, write);
      return true;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  #within<T>(signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, settings, name } = this.#options;
    const what = `the leases of sharding "${settings.namespace}/${name}"`;
    return boundedRequest({ clock, timeoutMs: requestTimeoutMs(settings.timing), signal, what }, send);
  }
}

function countOf({ metadata }: ReadLease): number {
  const count = Number(metadata.annotations?.[countAnnotation]);
  if (Number.isInteger(count) && count >= 1 && count <= 10_000) return count;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot set up sharding: Lease "${metadata.namespace}/${metadata.name}" has no valid annotation "${countAnnotation}"; stop all replicas and delete it`,
  );
}

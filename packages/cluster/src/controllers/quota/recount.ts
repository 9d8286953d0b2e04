import type { Clock } from "@kubewright/core/clock";
import { deepEqual } from "@kubewright/core/json";
import { Quantity } from "@kubewright/core/quantity";
import { type AnyKind, type Client, isConflict, isNotFound, metadataOnly, type ReadOf } from "kubewright";
import { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "kubewright/k8s/core/v1";
import {
  addResources,
  countedUntilMs,
  countName,
  equalResources,
  evaluatorFor,
  formatResourceList,
  matchesScopes,
  parseResourceList,
  scopesOf,
} from "../../quota/index.js";

type ReadQuota = ReadOf<typeof ResourceQuota>;

/** Resources with more quota names than their object count. */
const evaluated = new Map<string, AnyKind>([
  ["pods", Pod],
  ["services", Service],
  ["persistentvolumeclaims", PersistentVolumeClaim],
]);

/** Object count quota names from before `count/…`. */
const aliases = ["configmaps", "resourcequotas", "replicationcontrollers", "secrets"];

/** The resources (`deployments.apps`) that a quota counts by object. */
export function countedResources({ spec }: ReadQuota): readonly string[] {
  const names = Object.keys(spec?.hard ?? {}).flatMap((name) =>
    aliases.includes(name) ? [name] : name.startsWith(countName("")) ? [name.slice(countName("").length)] : [],
  );
  return [...new Set(names)].filter((name) => !evaluated.has(name));
}

/** Dependencies of {@link recount}. */
export interface RecountOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The kind of a counted resource; undefined if it is not served. */
  readonly kindOf: (resource: string) => Promise<AnyKind | undefined>;
}

/**
 * Recalculates the usage of a quota's namespace and writes it. It reads from the server, not from caches, and writes with the resourceVersion it
 * read, so that it never overwrites what admission charges meanwhile. Returns when the usage changes next without a write.
 */
export async function recount(
  where: { readonly namespace: string; readonly name: string },
  options: RecountOptions,
): Promise<number | undefined> {
  const { client } = options;
  for (;;) {
    const quota = await client.find(ResourceQuota, where);
    if (quota === undefined) return undefined;
    const { used, changesMs } = await countUsed(quota, options);
    const hard = { ...quota.spec?.hard };
    const { status = {} } = quota;
    if (
      deepEqual(status.hard, hard) &&
      status.used !== undefined &&
      equalResources(parseResourceList(status.used), used)
    ) {
      // Admission may have charged the same usage during the count.
      const now = await client.find(ResourceQuota, where);
      if (now?.metadata.resourceVersion === quota.metadata.resourceVersion) return changesMs;
      continue;
    }
    try {
      const counted = { ...quota, status: { hard, used: formatResourceList(used) } };
      await client.updateStatus(ResourceQuota, counted, { fieldManager: "kube-controller-manager" });
      return changesMs;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
  }
}

async function countUsed(
  quota: ReadQuota,
  { client, clock, kindOf }: RecountOptions,
): Promise<{ readonly used: Map<string, Quantity>; readonly changesMs: number | undefined }> {
  const names = Object.keys(quota.spec?.hard ?? {});
  const namespace = quota.metadata.namespace ?? "";
  const nowMs = clock.now();
  // Resources that cannot be counted keep their value.
  const before = parseResourceList(quota.status?.used);
  const used = new Map([...before].filter(([name]) => names.includes(name)));
  let changesMs: number | undefined;
  for (const [resource, kind] of evaluated) {
    const evaluator = evaluatorFor(resource);
    const tracked = names.filter((name) => evaluator.tracks(name));
    if (tracked.length === 0) continue;
    const sum = new Map(tracked.map((name) => [name, Quantity.of(0)]));
    for await (const object of client.list(kind, { namespace })) {
      if (!matchesScopes(quota, (scope) => evaluator.matchesScope(scope, object as object))) continue;
      addResources(sum, evaluator.usage(object as object, nowMs));
      const doneMs = resource === "pods" ? countedUntilMs(object as ReadOf<typeof Pod>) : undefined;
      if (doneMs !== undefined && doneMs >= nowMs) changesMs = Math.min(changesMs ?? doneMs, doneMs);
    }
    for (const name of tracked) used.set(name, sum.get(name) ?? Quantity.of(0));
  }
  for (const resource of countedResources(quota)) {
    const kind = await kindOf(resource);
    if (kind === undefined) continue;
    // No scope matches objects of these kinds.
    const count = scopesOf(quota).length > 0 ? 0 : await countObjects(client, kind, namespace);
    for (const name of [countName(resource), resource]) if (names.includes(name)) used.set(name, Quantity.of(count));
  }
  return { used, changesMs };
}

async function countObjects(client: Client, kind: AnyKind, namespace: string): Promise<number> {
  const { items, remainingItemCount = 0 } = await client.listPage(metadataOnly(kind), { namespace, limit: 1 });
  return items.length + remainingItemCount;
}

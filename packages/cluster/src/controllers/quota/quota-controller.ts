import { deepEqual } from "@kubewright/core/json";
import {
  type AnyController,
  type AnyKind,
  type CacheLookup,
  type Client,
  isNotFound,
  metadataOnly,
  type RawController,
  type ReadOf,
  rawController,
  watch,
} from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "kubewright/k8s/core/v1";
import { countName, equalResources, evaluatorFor } from "../../quota/index.js";
import { isPodTerminal } from "../pod/index.js";
import { countedResources, type RecountOptions, recount } from "./recount.js";

type ReadQuota = ReadOf<typeof ResourceQuota>;

/** Dependencies of the ResourceQuota controller. */
export interface QuotaServices {
  readonly client: Client;
  /** Starts another controller. Resolves once its caches are synced. */
  add(controller: AnyController): Promise<void>;
}

/**
 * Maintains `status.used` of each ResourceQuota. Admission charges creates; the controller recalculates when a quota changes or an object
 * releases quota. It watches the kinds of object count quotas once a quota names them.
 */
export function quotaController({ client, add }: QuotaServices): RawController {
  const name = "resourcequota-controller";
  const counted = new Map<string, Promise<AnyKind | undefined>>();
  const kindOf = (resource: string): Promise<AnyKind | undefined> => {
    const known = counted.get(resource);
    if (known !== undefined) return known;
    const pending = watchKind(resource);
    counted.set(resource, pending);
    // A resource that is not served now may be served later.
    const forget = (kind?: AnyKind): unknown => kind === undefined && counted.delete(resource);
    pending.then(forget, () => forget());
    return pending;
  };
  const watchKind = async (resource: string): Promise<AnyKind | undefined> => {
    const kind = await findKind(client, resource);
    if (kind === undefined || resource === "resourcequotas") return kind;
    await add(
      rawController({
        name: `${name} ${resource}`,
        fieldManager: "kube-controller-manager",
        watches: [
          watch(metadataOnly(kind), {
            reads: [ResourceQuota],
            to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, (one) => countsObjectsOf(resource, one)),
            when: (change) => change.kind === "deleted",
          }),
        ],
        reconcile: ({ key, clock }) => count(key, { client, clock, kindOf }),
      }),
    );
    return kind;
  };
  const count = async (key: string, options: RecountOptions): Promise<void> =>
    void (await recount(named(key), options));
  return rawController({
    name,
    fieldManager: "kube-controller-manager",
    watches: [
      // Another client's change of the status is corrected by the resync.
      watch(ResourceQuota, {
        to: ({ metadata }) => metadata,
        when: ({ kind, old, new: now }) => kind === "added" || (kind === "updated" && !deepEqual(old?.spec, now?.spec)),
      }),
      // A quota that counts resourcequotas is affected by the deletion of others.
      watch(ResourceQuota, {
        to: ({ metadata }, cached) =>
          quotasOf(cached, metadata.namespace, (one) => countsObjectsOf("resourcequotas", one)),
        when: ({ kind }) => kind === "deleted",
      }),
      watch(Pod, {
        reads: [ResourceQuota],
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("pods")),
        when: ({ kind, old, new: now }) => kind !== "added" && !isSamePod(old, now) && changesUsage("pods", old, now),
      }),
      watch(Service, {
        reads: [ResourceQuota],
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("services")),
        when: ({ kind, old, new: now }) => kind !== "added" && changesUsage("services", old, now),
      }),
      watch(PersistentVolumeClaim, {
        reads: [ResourceQuota],
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("persistentvolumeclaims")),
        when: ({ kind, old, new: now }) => kind !== "added" && changesUsage("persistentvolumeclaims", old, now),
      }),
      // A quota may count the kind of a new CRD.
      watch(CustomResourceDefinition, {
        reads: [ResourceQuota],
        to: ({ spec }, cached) =>
          cached.list(ResourceQuota).flatMap((one) => {
            const resource = countName(`${spec?.names.plural}.${spec?.group}`);
            return resource in (one.spec?.hard ?? {}) && !(resource in (one.status?.used ?? {})) ? [one.metadata] : [];
          }),
      }),
    ],
    reconcile: async ({ key, clock, requeueAfter }) => {
      const changesMs = await recount(named(key), { client, clock, kindOf });
      const untilChangeMs = changesMs === undefined ? resyncMs : Math.max(1, changesMs + 1 - clock.now());
      return requeueAfter(`${Math.min(untilChangeMs, resyncMs)}ms`);
    },
  });
}

/** As --resource-quota-sync-period. */
const resyncMs = 300_000;

function named(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

function quotasOf(
  cached: CacheLookup<typeof ResourceQuota>,
  namespace: string | undefined,
  matches: (quota: ReadQuota) => boolean,
): ReadQuota["metadata"][] {
  return cached
    .list(ResourceQuota, { namespace: namespace ?? "" })
    .filter(matches)
    .map(({ metadata }) => metadata);
}

function countsObjectsOf(resource: string, quota: ReadQuota): boolean {
  return countedResources(quota).includes(resource);
}

function tracks(resource: string): (quota: ReadQuota) => boolean {
  const evaluator = evaluatorFor(resource);
  return ({ spec }) => Object.keys(spec?.hard ?? {}).some((name) => evaluator.tracks(name));
}

/** Whether an update or deletion changes an object's usage, now or once its grace period ends. */
function changesUsage(resource: string, old: object | undefined, now: object | undefined): boolean {
  if (old === undefined || now === undefined) return true;
  const evaluator = evaluatorFor(resource);
  return (
    isTerminating(old) !== isTerminating(now) ||
    !deepEqual(scopeFacts(old), scopeFacts(now)) ||
    !equalResources(evaluator.usage(old, 0), evaluator.usage(now, 0))
  );
}

/** Whether no countable part of a Pod changed. Cheap: binding and status updates do not change the generation. */
function isSamePod(old: ReadOf<typeof Pod> | undefined, now: ReadOf<typeof Pod> | undefined): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    isPodTerminal(old) === isPodTerminal(now) &&
    isTerminating(old) === isTerminating(now) &&
    old.metadata.generation === now.metadata.generation
  );
}

function isTerminating(object: object): boolean {
  return (object as { metadata?: { deletionTimestamp?: string } }).metadata?.deletionTimestamp !== undefined;
}

/** The fields of a Pod that can change its scopes after creation. */
function scopeFacts(object: object): unknown {
  return (object as ReadOf<typeof Pod>).spec?.activeDeadlineSeconds === undefined;
}

/** The kind of a resource such as `deployments.apps`; undefined if it is not served or not namespaced. */
async function findKind(client: Client, resource: string): Promise<AnyKind | undefined> {
  const dot = resource.indexOf(".");
  const [plural, group] = dot < 0 ? [resource, ""] : [resource.slice(0, dot), resource.slice(dot + 1)];
  try {
    const kind = await client.kind({ group, resource: plural });
    return kind.scope === "Namespaced" ? kind : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

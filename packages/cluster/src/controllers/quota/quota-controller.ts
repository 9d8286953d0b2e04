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
import { countName, evaluatorFor, sameAmounts } from "../../quota/index.js";
import { hasPodEnded } from "../pod/index.js";
import { countedResources, type RecountOptions, recount } from "./recount.js";

type ReadQuota = ReadOf<typeof ResourceQuota>;

/** What the controller of quotas needs beside its objects. */
export interface QuotaServices {
  readonly client: Client;
  /** Begins to run another controller. Resolves when it has read what it watches. */
  add(controller: AnyController): Promise<void>;
}

/**
 * Keeps in each quota's status what the objects of its namespace use. Admission charges what is created; counted anew is what changed the quota
 * itself, and what lets go of something. Kinds that are only counted are watched from the first quota on that names them.
 */
export function quotaController({ client, add }: QuotaServices): RawController {
  const name = "resourcequota-controller";
  const counted = new Map<string, Promise<AnyKind | undefined>>();
  const kindOf = (resource: string): Promise<AnyKind | undefined> => {
    const known = counted.get(resource);
    if (known !== undefined) return known;
    const asked = watchKind(resource);
    counted.set(resource, asked);
    // One that is not served may be later.
    const forget = (kind?: AnyKind): unknown => kind === undefined && counted.delete(resource);
    asked.then(forget, () => forget());
    return asked;
  };
  const watchKind = async (resource: string): Promise<AnyKind | undefined> => {
    const kind = await findKind(client, resource);
    if (kind === undefined || resource === "resourcequotas") return kind;
    await add(
      rawController({
        name: `${name} ${resource}`,
        fieldManager: "kube-controller-manager",
        uses: [ResourceQuota],
        watches: [
          watch(metadataOnly(kind), {
            to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, (one) => isOf(resource, one)),
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
      watch(ResourceQuota, {
        to: ({ metadata }) => metadata,
        when: ({ kind, old, new: now }) => kind === "added" || (kind === "updated" && !deepEqual(old?.spec, now?.spec)),
      }),
      // Those that count quotas count the others too.
      watch(ResourceQuota, {
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, (one) => isOf("resourcequotas", one)),
        when: ({ kind }) => kind === "deleted",
      }),
      watch(Pod, {
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("pods")),
        when: ({ kind, old, new: now }) =>
          kind !== "added" && !isSamePod(old, now) && countsOtherwise("pods", old, now),
      }),
      watch(Service, {
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("services")),
        when: ({ kind, old, new: now }) => kind !== "added" && countsOtherwise("services", old, now),
      }),
      watch(PersistentVolumeClaim, {
        to: ({ metadata }, cached) => quotasOf(cached, metadata.namespace, tracks("persistentvolumeclaims")),
        when: ({ kind, old, new: now }) => kind !== "added" && countsOtherwise("persistentvolumeclaims", old, now),
      }),
      // A kind that comes may be one that a quota waits for.
      watch(CustomResourceDefinition, {
        to: ({ spec }, cached) =>
          cached.list(ResourceQuota).flatMap((one) => {
            const wanted = countName(`${spec?.names.plural}.${spec?.group}`);
            return wanted in (one.spec?.hard ?? {}) && !(wanted in (one.status?.used ?? {})) ? [one.metadata] : [];
          }),
      }),
    ],
    reconcile: async ({ key, clock, requeueAfter }) => {
      const changesMs = await recount(named(key), { client, clock, kindOf });
      if (changesMs !== undefined) return requeueAfter(`${Math.max(1, changesMs + 1 - clock.now())}ms`);
    },
  });
}

function named(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

function quotasOf(
  cached: CacheLookup,
  namespace: string | undefined,
  concerns: (quota: ReadQuota) => boolean,
): ReadQuota["metadata"][] {
  return cached
    .list(ResourceQuota, { namespace: namespace ?? "" })
    .filter(concerns)
    .map(({ metadata }) => metadata);
}

function isOf(resource: string, quota: ReadQuota): boolean {
  return countedResources(quota).includes(resource);
}

function tracks(resource: string): (quota: ReadQuota) => boolean {
  const evaluator = evaluatorFor(resource);
  return ({ spec }) => Object.keys(spec?.hard ?? {}).some((name) => evaluator.tracks(name));
}

/** Whether an object counts for something else than before, also by being gone; or is to go, after which it counts for a time only. */
function countsOtherwise(resource: string, old: object | undefined, now: object | undefined): boolean {
  if (old === undefined || now === undefined) return true;
  const evaluator = evaluatorFor(resource);
  return (
    isLeaving(old) !== isLeaving(now) ||
    !deepEqual(scopeFacts(old), scopeFacts(now)) ||
    !sameAmounts(evaluator.usage(old, 0), evaluator.usage(now, 0))
  );
}

/** Whether nothing of a pod changed that counts: mostly it is only that it has a node, runs or is ready, which are no new generation. */
function isSamePod(old: ReadOf<typeof Pod> | undefined, now: ReadOf<typeof Pod> | undefined): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    hasPodEnded(old) === hasPodEnded(now) &&
    isLeaving(old) === isLeaving(now) &&
    old.metadata.generation === now.metadata.generation
  );
}

function isLeaving(object: object): boolean {
  return (object as { metadata?: { deletionTimestamp?: string } }).metadata?.deletionTimestamp !== undefined;
}

/** What of a pod can put it into another scope after it was made. */
function scopeFacts(object: object): unknown {
  return (object as ReadOf<typeof Pod>).spec?.activeDeadlineSeconds === undefined;
}

/** The kind of a resource such as `deployments.apps`; undefined when it is not served, or not in namespaces. */
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

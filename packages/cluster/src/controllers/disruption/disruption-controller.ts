import { type Condition, setCondition } from "@kubewright/core/meta";
import { labelSelectorFrom } from "@kubewright/core/selector";
import {
  type Client,
  type Controller,
  controller,
  isConflict,
  isNotFound,
  type ReadOf,
  untracked,
  watch,
} from "kubewright";
import { Deployment, ReplicaSet, StatefulSet } from "kubewright/k8s/apps/v1";
import { Pod, ReplicationController } from "kubewright/k8s/core/v1";
import { PodDisruptionBudget } from "kubewright/k8s/policy/v1";
import { goSelectorString } from "../ownership/index.js";
import { isPodReady } from "../pod/index.js";
import { expectedPods, type FindScale } from "./expected-pods.js";

type ReadBudget = ReadOf<typeof PodDisruptionBudget>;
type ReadPod = ReadOf<typeof Pod>;

/** DeletionTimeout: an evicted Pod that is not deleted within it counts as healthy again. */
const deletionTimeoutMs = 120_000;

/** The disruption controller: maintains the status of PodDisruptionBudgets. `client` reads scale subresources of other kinds. */
export function disruptionController(client: Client): Controller {
  return controller(PodDisruptionBudget, {
    name: "controllermanager",
    fieldManager: "kube-controller-manager",
    uses: [untracked(ReplicaSet), untracked(Deployment), untracked(StatefulSet), untracked(ReplicationController)],
    watches: [
      watch(Pod, {
        reads: [PodDisruptionBudget],
        to: (pod, cached) =>
          cached
            .list(PodDisruptionBudget, { namespace: pod.metadata.namespace ?? "" })
            .flatMap((budget) => (selects(budget, pod) ? [budget.metadata.name] : [])),
      }),
    ],
    reconcile: async ({ object: budget, list, find, status, event, requeueAfter, clock }) => {
      const pods = (await list(Pod)).filter((pod) => selects(budget, pod));
      if (pods.length === 0) event("Normal", "NoPods", "No matching pods found");
      const findScale: FindScale = async ({ apiVersion, kind, name, uid }) => {
        const [group] = apiVersion.split("/");
        if (group === "apps" && kind === "ReplicaSet") {
          const set = await find(ReplicaSet, name);
          if (set?.metadata.uid !== uid) return undefined;
          const owner = set.metadata.ownerReferences?.find(({ controller: is }) => is === true);
          const deployment = owner?.kind === "Deployment" ? await find(Deployment, owner.name) : undefined;
          const scaled = deployment?.metadata.uid === owner?.uid && deployment !== undefined ? deployment : set;
          return { uid: scaled.metadata.uid, replicas: scaled.spec?.replicas ?? 1 };
        }
        const known =
          group === "apps" && kind === "StatefulSet"
            ? await find(StatefulSet, name)
            : apiVersion === "v1" && kind === "ReplicationController"
              ? await find(ReplicationController, name)
              : undefined;
        if (known !== undefined)
          return known.metadata.uid === uid ? { uid, replicas: known.spec?.replicas ?? 1 } : undefined;
        return scaleOf(client, { apiVersion, kind, name, uid }, budget.metadata.namespace ?? "");
      };
      let desired: Awaited<ReturnType<typeof expectedPods>>;
      try {
        desired = await expectedPods(budget, pods, findScale);
      } catch (error) {
        if (isConflict(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        event("Warning", "CalculateExpectedPodCountFailed", `Failed to calculate the number of expected pods: ${why}`);
        status.disruptionsAllowed = 0;
        setDisruptionAllowed("False", "SyncFailed", why);
        return;
      }
      if (desired.unmanaged.length > 0)
        event(
          "Warning",
          "UnmanagedPods",
          `Pods selected by this PodDisruptionBudget (selector: ${goSelectorString(budget.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`,
        );
      const nowMs = clock.now();
      const { disrupted, recheckMs } = disruptedPods(budget, pods, nowMs);
      const healthy = pods.filter(
        (pod) => pod.metadata.deletionTimestamp === undefined && !disrupted.has(pod.metadata.name) && isPodReady(pod),
      ).length;
      const allowed = desired.expected > 0 ? Math.max(0, healthy - desired.healthy) : 0;
      status.currentHealthy = healthy;
      status.desiredHealthy = desired.healthy;
      status.expectedPods = desired.expected;
      status.disruptionsAllowed = allowed;
      status.disruptedPods = disrupted.size === 0 ? undefined : Object.fromEntries(disrupted);
      status.observedGeneration = budget.metadata.generation;
      setDisruptionAllowed(allowed > 0 ? "True" : "False", allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
      if (recheckMs !== undefined) return requeueAfter(`${Math.max(1, recheckMs - nowMs)}ms`);

      function setDisruptionAllowed(value: "True" | "False", reason: string, message: string): void {
        const { observedGeneration = 0 } = status;
        const context = { now: clock.now(), observedGeneration };
        const next = setCondition(
          (status.conditions ?? []) as readonly Condition[],
          { type: "DisruptionAllowed", status: value, reason, message },
          context,
        );
        status.conditions = next.map((condition) => ({ ...condition }));
      }
    },
  });
}

function selects({ metadata, spec }: ReadBudget, pod: ReadPod): boolean {
  return (
    metadata.namespace === pod.metadata.namespace &&
    spec?.selector !== undefined &&
    labelSelectorFrom(spec.selector).matches(pod.metadata.labels ?? {})
  );
}

/** `status.disruptedPods` without Pods that are terminating or timed out, and when the first of the rest times out. */
function disruptedPods(
  { status }: ReadBudget,
  pods: readonly ReadPod[],
  nowMs: number,
): { readonly disrupted: ReadonlyMap<string, string>; readonly recheckMs: number | undefined } {
  const disrupted = new Map<string, string>();
  let recheckMs: number | undefined;
  for (const { metadata } of pods) {
    const at = status?.disruptedPods?.[metadata.name];
    if (at === undefined || metadata.deletionTimestamp !== undefined) continue;
    const untilMs = Date.parse(at) + deletionTimeoutMs;
    if (untilMs < nowMs) continue;
    disrupted.set(metadata.name, at);
    if (recheckMs === undefined || untilMs < recheckMs) recheckMs = untilMs;
  }
  return { disrupted, recheckMs };
}

/** Reads the scale subresource of an owner of another kind. */
async function scaleOf(
  client: Client,
  owner: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string },
  namespace: string,
): Promise<{ readonly uid: string; readonly replicas: number } | undefined> {
  try {
    const kind = await client.kind(`${owner.apiVersion}/${owner.kind}`);
    const { metadata, spec } = await client.getScale(kind, { namespace, name: owner.name });
    return metadata.uid === owner.uid ? { uid: owner.uid, replicas: spec.replicas ?? 0 } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

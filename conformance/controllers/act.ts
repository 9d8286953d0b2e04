import type { Clock } from "@kubewright/core/clock";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport, TransportResponse } from "@kubewright/core/transport";
import type { FakeKubelet } from "./fake-kubelet.js";
import { isTrue, type KubeObject, textAt } from "./kube-object.js";
import { pathOf, typeOf } from "./resources.js";
import type { Action, NodeChange, PodChoice, Ref } from "./step.js";
import { TemplateHashes } from "./template-hashes.js";
import type { View } from "./view.js";

/** What actions need. */
export interface ActionContext {
  readonly transport: Transport;
  readonly view: View;
  readonly kubelet: FakeKubelet;
  readonly clock: Clock;
  readonly namespace: string;
  /** Lets time pass. */
  pass(seconds: number): Promise<void>;
}

const mergePatch = { "content-type": "application/merge-patch+json" };
const applyPatch = { "content-type": "application/apply-patch+yaml" };

/** What `act` returns if no pods match. */
export const noMatchingPods = "no pods match";

/** Performs one action. Returns the messages of rejected requests, which are compared. */
export async function act(context: ActionContext, template: Action): Promise<readonly string[]> {
  if ("pods" in template && chosen(context, template.pods).length === 0) return [noMatchingPods];
  const { transport, namespace, kubelet } = context;
  const action = filled(template, context);
  switch (action.do) {
    case "create": {
      const path = pathOf(typeOf(String(action.object["kind"])), namespace);
      const headers = action.as && { "impersonate-user": action.as.user, "impersonate-group": action.as.group };
      return rejections(
        await transport.send({ method: "POST", path, body: action.object, ...(headers && { headers }) }),
      );
    }
    case "apply": {
      const path = pathOf(typeOf(String(action.object["kind"])), namespace, textAt(action.object, "metadata", "name"));
      const query = { fieldManager: "scenario", force: "true" };
      return rejections(
        await transport.send({ method: "PATCH", path, query, headers: applyPatch, body: action.object }),
      );
    }
    case "patch": {
      const path = `${refPath(action.ref, namespace)}${action.subresource === undefined ? "" : `/${action.subresource}`}`;
      return rejections(await transport.send({ method: "PATCH", path, headers: mergePatch, body: action.patch }));
    }
    case "delete": {
      const path = refPath(action.ref, namespace);
      return rejections(await transport.send({ method: "DELETE", path, body: action.options }));
    }
    case "deletePods":
      return each(chosen(context, action.pods), async (pod) =>
        transport.send({ method: "DELETE", path: podPath(pod, namespace), body: action.options }),
      );
    case "evict":
      return each(chosen(context, action.pods), async (pod) => {
        const body = {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: pod.metadata.name },
          ...action.options,
        };
        return transport.send({ method: "POST", path: `${podPath(pod, namespace)}/eviction`, body });
      });
    case "patchPods":
      return each(chosen(context, action.pods), async (pod) =>
        transport.send({ method: "PATCH", path: podPath(pod, namespace), headers: mergePatch, body: action.patch }),
      );
    case "pods":
      for (const pod of chosen(context, action.pods)) kubelet.setPod(pod, action.state);
      return [];
    case "newPods":
      kubelet.setNewPods(namespace, action.state, action.app);
      return [];
    case "stops":
      kubelet.setHanging(namespace, action.hang, objects(context, "Pod"));
      return [];
    case "node":
      return changeNode(context, action.name, action.change);
    case "heartbeats":
      if (action.on) await kubelet.startHeartbeats(action.name);
      else kubelet.stopHeartbeats(action.name);
      return [];
    case "minute":
      await context.pass(64 - (Math.floor(context.clock.now() / 1_000) % 60));
      return [];
    case "wait":
      await context.pass(action.seconds);
      return [];
    default:
      return action satisfies never;
  }
}

async function changeNode(
  { transport, kubelet }: ActionContext,
  name: string,
  change: NodeChange,
): Promise<readonly string[]> {
  switch (change.kind) {
    case "add":
      await kubelet.addNode({ name, ...change });
      return [];
    case "remove":
      await kubelet.removeNode(name);
      return [];
    case "ready":
      await kubelet.setNodeReady(name, change.ready);
      return [];
    case "patch": {
      const path = pathOf(typeOf("Node"), "", name);
      return rejections(await transport.send({ method: "PATCH", path, headers: mergePatch, body: change.patch }));
    }
    default:
      return change satisfies never;
  }
}

function chosen(context: ActionContext, { of, state, node, oldest, newest }: PodChoice): KubeObject[] {
  let pods = objects(context, "Pod").filter(
    (pod) => pod.metadata.name === of || textAt(pod, "metadata", "labels", "app") === of,
  );
  if (node !== undefined) pods = pods.filter((pod) => textAt(pod, "spec", "nodeName") === node);
  if (state !== undefined) pods = pods.filter((pod) => stateOf(pod) === state);
  // A filter by state excludes terminating pods.
  pods = pods.filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === "" || state === undefined);
  if (oldest !== undefined) pods = pods.slice(0, oldest);
  if (newest !== undefined) pods = pods.slice(-newest);
  return pods;
}

function stateOf(pod: KubeObject): NonNullable<PodChoice["state"]> | "terminated" {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Pending") return "pending";
  if (phase !== "Running") return "terminated";
  return isTrue(pod, "Ready") ? "ready" : "unready";
}

function objects({ view, namespace }: ActionContext, kind: string): KubeObject[] {
  return view
    .list(kind, namespace)
    .sort((a, b) => indexOf(a.object) - indexOf(b.object) || a.order - b.order)
    .map(({ object }) => object);
}

/** Pods of an indexed Job are ordered by completion index. */
function indexOf(pod: KubeObject): number {
  return Number(textAt(pod, "metadata", "labels", "batch.kubernetes.io/job-completion-index"));
}

async function each(
  pods: readonly KubeObject[],
  send: (pod: KubeObject) => Promise<TransportResponse>,
): Promise<readonly string[]> {
  const rejected: string[] = [];
  for (const pod of pods) rejected.push(...rejections(await send(pod)));
  return rejected;
}

function rejections({ status, body }: TransportResponse): readonly string[] {
  return status < 400 ? [] : [`${status} ${isJsonObject(body) ? body["message"] : body}`];
}

function refPath(ref: Ref, namespace: string): string {
  const [plural = "", name = ""] = ref.split("/");
  return pathOf(typeOf(plural), namespace, name);
}

function podPath(pod: KubeObject, namespace: string): string {
  return pathOf(typeOf("Pod"), namespace, pod.metadata.name);
}

function filled(action: Action, { view, namespace }: ActionContext): Action {
  const text = JSON.stringify(action);
  const hashed = text.includes("{hash") ? new TemplateHashes(view, namespace).withHashes(text) : text;
  const given = hashed.replaceAll("{ns}", namespace);
  return given === text ? action : JSON.parse(given);
}

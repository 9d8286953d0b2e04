import type { Clock } from "@kubewright/core/clock";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport, TransportResponse } from "@kubewright/core/transport";
import type { FakeKubelet } from "./fake-kubelet.js";
import { isTrue, type KubeObject, textAt } from "./kube-object.js";
import { pathOf, typeOf } from "./resources.js";
import type { Action, NodeChange, PodChoice, Ref } from "./step.js";
import { TemplateHashes } from "./template-hashes.js";
import type { View } from "./view.js";

/** Where actions are done. */
export interface Stage {
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

/** How `act` says that there are no pods to act on. */
export const nothingChosen = "there are no such pods";

/** Does one thing. Gives what the server said where it refused; its answers are part of what is compared. */
export async function act(stage: Stage, template: Action): Promise<readonly string[]> {
  if ("pods" in template && chosen(stage, template.pods).length === 0) return [nothingChosen];
  const { transport, namespace, kubelet } = stage;
  const action = filled(template, stage);
  switch (action.do) {
    case "create": {
      const path = pathOf(typeOf(String(action.object["kind"])), namespace);
      return refusals(await transport.send({ method: "POST", path, body: action.object }));
    }
    case "apply": {
      const path = pathOf(typeOf(String(action.object["kind"])), namespace, textAt(action.object, "metadata", "name"));
      const query = { fieldManager: "scenario", force: "true" };
      return refusals(await transport.send({ method: "PATCH", path, query, headers: applyPatch, body: action.object }));
    }
    case "patch": {
      const path = `${refPath(action.ref, namespace)}${action.subresource === undefined ? "" : `/${action.subresource}`}`;
      return refusals(await transport.send({ method: "PATCH", path, headers: mergePatch, body: action.patch }));
    }
    case "delete": {
      const path = refPath(action.ref, namespace);
      return refusals(await transport.send({ method: "DELETE", path, body: action.options }));
    }
    case "deletePods":
      return each(chosen(stage, action.pods), async (pod) =>
        transport.send({ method: "DELETE", path: podPath(pod, namespace), body: action.options }),
      );
    case "evict":
      return each(chosen(stage, action.pods), async (pod) => {
        const body = {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: pod.metadata.name },
          ...action.options,
        };
        return transport.send({ method: "POST", path: `${podPath(pod, namespace)}/eviction`, body });
      });
    case "patchPods":
      return each(chosen(stage, action.pods), async (pod) =>
        transport.send({ method: "PATCH", path: podPath(pod, namespace), headers: mergePatch, body: action.patch }),
      );
    case "pods":
      for (const pod of chosen(stage, action.pods)) kubelet.setPod(pod, action.life);
      return [];
    case "newPods":
      kubelet.setNewPods(namespace, action.life, action.app);
      return [];
    case "stops":
      kubelet.setHanging(namespace, action.hang, objects(stage, "Pod"));
      return [];
    case "node":
      return changeNode(stage, action.name, action.change);
    case "heartbeats":
      if (action.on) await kubelet.startHeartbeats(action.name);
      else kubelet.stopHeartbeats(action.name);
      return [];
    case "minute":
      await stage.pass(64 - (Math.floor(stage.clock.now() / 1_000) % 60));
      return [];
    case "wait":
      await stage.pass(action.seconds);
      return [];
    default:
      return action satisfies never;
  }
}

async function changeNode({ transport, kubelet }: Stage, name: string, change: NodeChange): Promise<readonly string[]> {
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
      return refusals(await transport.send({ method: "PATCH", path, headers: mergePatch, body: change.patch }));
    }
    default:
      return change satisfies never;
  }
}

function chosen(stage: Stage, { of, state, node, oldest, newest }: PodChoice): KubeObject[] {
  let pods = objects(stage, "Pod").filter(
    (pod) => pod.metadata.name === of || textAt(pod, "metadata", "labels", "app") === of,
  );
  if (node !== undefined) pods = pods.filter((pod) => textAt(pod, "spec", "nodeName") === node);
  if (state !== undefined) pods = pods.filter((pod) => stateOf(pod) === state);
  // Gone but for the last report: nobody means these.
  pods = pods.filter((pod) => textAt(pod, "metadata", "deletionTimestamp") === "" || state === undefined);
  if (oldest !== undefined) pods = pods.slice(0, oldest);
  if (newest !== undefined) pods = pods.slice(-newest);
  return pods;
}

function stateOf(pod: KubeObject): NonNullable<PodChoice["state"]> | "ended" {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Pending") return "pending";
  if (phase !== "Running") return "ended";
  return isTrue(pod, "Ready") ? "ready" : "unready";
}

function objects({ view, namespace }: Stage, kind: string): KubeObject[] {
  return view
    .list(kind, namespace)
    .sort((a, b) => indexOf(a.object) - indexOf(b.object) || a.order - b.order)
    .map(({ object }) => object);
}

/** Pods of an indexed Job come in the order of their indexes. */
function indexOf(pod: KubeObject): number {
  return Number(textAt(pod, "metadata", "labels", "batch.kubernetes.io/job-completion-index"));
}

async function each(
  pods: readonly KubeObject[],
  send: (pod: KubeObject) => Promise<TransportResponse>,
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const pod of pods) said.push(...refusals(await send(pod)));
  return said;
}

function refusals({ status, body }: TransportResponse): readonly string[] {
  return status < 400 ? [] : [`${status} ${isJsonObject(body) ? body["message"] : body}`];
}

function refPath(ref: Ref, namespace: string): string {
  const [plural = "", name = ""] = ref.split("/");
  return pathOf(typeOf(plural), namespace, name);
}

function podPath(pod: KubeObject, namespace: string): string {
  return pathOf(typeOf("Pod"), namespace, pod.metadata.name);
}

function filled(action: Action, { view, namespace }: Stage): Action {
  const text = JSON.stringify(action);
  const hashed = text.includes("{hash") ? new TemplateHashes(view, namespace).filled(text) : text;
  const given = hashed.replaceAll("{ns}", namespace);
  return given === text ? action : JSON.parse(given);
}

import type { JsonObject } from "@kubewright/core/json";
import type { PodLife } from "./pod-life.js";

/** An object by resource and name: `deployments/web`. */
export type Ref = `${string}/${string}`;

/** Which pods: those whose name or label `app` is `of`; then by state; then only the first or last of them, by age. */
export interface PodChoice {
  readonly of: string;
  readonly state?: "ready" | "unready" | "pending";
  /** Only those on this node. */
  readonly node?: string;
  readonly oldest?: number;
  readonly newest?: number;
}

/** What becomes of a node of the scenario. */
export type NodeChange =
  | {
      readonly kind: "add";
      readonly labels?: Readonly<Record<string, string>>;
      readonly capacity?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "remove" }
  | { readonly kind: "ready"; readonly ready: boolean }
  | { readonly kind: "patch"; readonly patch: JsonObject };

/**
 * One thing that happens, as data. In every string `{ns}` stands for the namespace of the scenario, and `{hash1}` for the first hash of a pod template.
 *
 * `newPods` says what becomes of pods that are made from now on (of one app, or of all); `stops` whether pods that are being deleted end,
 * or hang until they are told to.
 */
export type Action =
  | { readonly do: "create" | "apply"; readonly object: JsonObject }
  | { readonly do: "patch"; readonly ref: Ref; readonly patch: JsonObject; readonly subresource?: string }
  | { readonly do: "delete"; readonly ref: Ref; readonly options: JsonObject }
  | { readonly do: "deletePods" | "evict"; readonly pods: PodChoice; readonly options: JsonObject }
  | { readonly do: "patchPods"; readonly pods: PodChoice; readonly patch: JsonObject }
  | { readonly do: "pods"; readonly pods: PodChoice; readonly life: PodLife }
  | { readonly do: "newPods"; readonly life: PodLife; readonly app?: string }
  | { readonly do: "stops"; readonly hang: boolean }
  | { readonly do: "node"; readonly name: string; readonly change: NodeChange }
  | { readonly do: "heartbeats"; readonly name: string; readonly on: boolean }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "minute" };

/** What is done at once, before the cluster settles and is looked at. */
export interface Step {
  /** In words, for those who read a recording or a difference. */
  readonly title: string;
  readonly actions: readonly Action[];
}

function step(title: string, action: Action): Step {
  return { title, actions: [action] };
}

/** Several steps as one: all of them are done before the cluster settles. */
export function together(...steps: readonly Step[]): Step {
  return { title: steps.map(({ title }) => title).join(", "), actions: steps.flatMap(({ actions }) => actions) };
}

/** Creates an object. */
export function create(object: JsonObject): Step {
  return step(`create ${nameOf(object)}`, { do: "create", object });
}

/** Applies an object, by force, as the field manager `scenario`. */
export function apply(object: JsonObject): Step {
  return step(`apply ${nameOf(object)}`, { do: "apply", object });
}

/** A merge patch of an object, or of its subresource. */
export function patch(ref: Ref, body: JsonObject, subresource?: string): Step {
  const text = JSON.stringify(body);
  return step(
    `patch ${ref}${subresource === undefined ? "" : `/${subresource}`} ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`,
    {
      do: "patch",
      ref,
      patch: body,
      ...(subresource !== undefined && { subresource }),
    },
  );
}

/** Sets the number of replicas, through the subresource `scale`. */
export function scale(ref: Ref, replicas: number): Step {
  return { ...patch(ref, { spec: { replicas } }, "scale"), title: `scale ${ref} to ${replicas}` };
}

/** Deletes an object; `options` are DeleteOptions. */
export function remove(ref: Ref, options: JsonObject = {}): Step {
  const how = typeof options["propagationPolicy"] === "string" ? ` (${options["propagationPolicy"]})` : "";
  return step(`delete ${ref}${how}`, { do: "delete", ref, options });
}

/** Deletes pods. */
export function removePods(of: string | PodChoice, options: JsonObject = {}): Step {
  const pods = choice(of);
  return step(`delete ${inWords(pods)}`, { do: "deletePods", pods, options });
}

/** Evicts pods one after the other. */
export function evict(of: string | PodChoice, options: JsonObject = {}): Step {
  const pods = choice(of);
  return step(`evict ${inWords(pods)}`, { do: "evict", pods, options });
}

/** A merge patch of each of these pods. */
export function patchPods(of: string | PodChoice, body: JsonObject): Step {
  const pods = choice(of);
  return step(`patch ${inWords(pods)} ${JSON.stringify(body)}`, { do: "patchPods", pods, patch: body });
}

/** What the kubelet does to pods: they get ready, end, hang. */
export function become(of: string | PodChoice, life: PodLife): Step {
  const pods = choice(of);
  return step(`${inWords(pods)}: ${life}`, { do: "pods", pods, life });
}

/** What becomes of pods that are made from now on, of one app or of all. */
export function newPods(life: PodLife, app?: string): Step {
  const action: Action = { do: "newPods", life, ...(app !== undefined && { app }) };
  return step(`from now on new pods${app === undefined ? "" : ` of ${app}`}: ${life}`, action);
}

/** Pods that are being deleted hang, until `stopsEnd`. */
export const stopsHang: Step = step("from now on stopping pods hang", { do: "stops", hang: true });

/** Pods that are being deleted end, those that hang too. */
export const stopsEnd: Step = step("stopping pods end", { do: "stops", hang: false });

/** Adds, removes or changes a node of the scenario. */
export function node(name: string, change: NodeChange): Step {
  return step(`node ${name}: ${JSON.stringify(change)}`, { do: "node", name, change });
}

/** Whether the lease of a node is renewed. */
export function heartbeats(name: string, on: boolean): Step {
  return step(`heartbeats of node ${name} ${on ? "go on" : "stop"}`, { do: "heartbeats", name, on });
}

/** Lets time pass: real on a real control plane, virtual on ours. */
export function wait(seconds: number): Step {
  return step(`wait ${seconds} s`, { do: "wait", seconds });
}

/** Lets time pass until 4 seconds after the next full minute. */
export const nextMinute: Step = step("the next minute begins", { do: "minute" });

function choice(of: string | PodChoice): PodChoice {
  return typeof of === "string" ? { of } : of;
}

function inWords({ of, state, node: on, oldest, newest }: PodChoice): string {
  const age = oldest === undefined ? (newest === undefined ? "" : `newest ${newest} `) : `oldest ${oldest} `;
  return `${age}${state === undefined ? "" : `${state} `}pods of ${of}${on === undefined ? "" : ` on ${on}`}`;
}

function nameOf(object: JsonObject): string {
  const metadata = object["metadata"];
  const name = typeof metadata === "object" && metadata !== null && "name" in metadata ? metadata["name"] : "";
  return `${object["kind"]} ${name}`;
}

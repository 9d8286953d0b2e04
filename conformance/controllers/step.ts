import type { JsonObject } from "@kubewright/core/json";
import type { SimulatedState } from "./simulated-state.js";

/** An object by resource and name: `deployments/web`. */
export type Ref = `${string}/${string}`;

/** Selects pods whose name or label `app` is `of`; then by state and node; then the oldest or newest. */
export interface PodChoice {
  readonly of: string;
  readonly state?: "ready" | "unready" | "pending";
  /** Only those on this node. */
  readonly node?: string;
  readonly oldest?: number;
  readonly newest?: number;
}

/** A change of a node. */
export type NodeChange =
  | {
      readonly kind: "add";
      readonly labels?: Readonly<Record<string, string>>;
      readonly capacity?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "remove" }
  | { readonly kind: "ready"; readonly ready: boolean }
  | { readonly kind: "patch"; readonly patch: JsonObject };

/** The user of a request, impersonated by the administrator. */
export interface ImpersonatedUser {
  readonly user: string;
  readonly group: string;
}

/**
 * One action, as data. In every string `{ns}` stands for the namespace of the scenario, and `{hash1}` for the first pod template hash.
 *
 * `newPods` sets the state of pods that are created from now on (of one app, or of all); `stops` sets whether terminating pods stop or hang.
 */
export type Action =
  | { readonly do: "create"; readonly object: JsonObject; readonly as?: ImpersonatedUser }
  | { readonly do: "apply"; readonly object: JsonObject }
  | { readonly do: "patch"; readonly ref: Ref; readonly patch: JsonObject; readonly subresource?: string }
  | { readonly do: "delete"; readonly ref: Ref; readonly options: JsonObject }
  | { readonly do: "deletePods" | "evict"; readonly pods: PodChoice; readonly options: JsonObject }
  | { readonly do: "patchPods"; readonly pods: PodChoice; readonly patch: JsonObject }
  | { readonly do: "pods"; readonly pods: PodChoice; readonly state: SimulatedState }
  | { readonly do: "newPods"; readonly state: SimulatedState; readonly app?: string }
  | { readonly do: "stops"; readonly hang: boolean }
  | { readonly do: "node"; readonly name: string; readonly change: NodeChange }
  | { readonly do: "heartbeats"; readonly name: string; readonly on: boolean }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "minute" };

/** Actions that run together, before the cluster settles and a snapshot is taken. */
export interface Step {
  /** Describes the step in recordings and differences. */
  readonly title: string;
  readonly actions: readonly Action[];
}

function step(title: string, action: Action): Step {
  return { title, actions: [action] };
}

/** Combines steps: all of them run before the cluster settles. */
export function together(...steps: readonly Step[]): Step {
  return { title: steps.map(({ title }) => title).join(", "), actions: steps.flatMap(({ actions }) => actions) };
}

/** Creates an object, as the administrator or as another user. */
export function create(object: JsonObject, as?: ImpersonatedUser): Step {
  return step(`create ${nameOf(object)}`, { do: "create", object, ...(as && { as }) });
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

/** Sets the number of replicas through the scale subresource. */
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
  return step(`delete ${describePods(pods)}`, { do: "deletePods", pods, options });
}

/** Evicts pods, one at a time. */
export function evict(of: string | PodChoice, options: JsonObject = {}): Step {
  const pods = choice(of);
  return step(`evict ${describePods(pods)}`, { do: "evict", pods, options });
}

/** A merge patch of each of these pods. */
export function patchPods(of: string | PodChoice, body: JsonObject): Step {
  const pods = choice(of);
  return step(`patch ${describePods(pods)} ${JSON.stringify(body)}`, { do: "patchPods", pods, patch: body });
}

/** Sets the state that the fake kubelet reports for pods. */
export function become(of: string | PodChoice, state: SimulatedState): Step {
  const pods = choice(of);
  return step(`${describePods(pods)}: ${state}`, { do: "pods", pods, state });
}

/** Sets the state of pods that are created from now on, of one app or of all. */
export function newPods(state: SimulatedState, app?: string): Step {
  const action: Action = { do: "newPods", state, ...(app !== undefined && { app }) };
  return step(`from now on new pods${app === undefined ? "" : ` of ${app}`}: ${state}`, action);
}

/** Terminating pods hang until `terminatingPodsStop`. */
export const terminatingPodsHang: Step = step("from now on terminating pods hang", { do: "stops", hang: true });

/** Terminating pods stop, including those that hang. */
export const terminatingPodsStop: Step = step("terminating pods stop", { do: "stops", hang: false });

/** Adds, removes or changes a node of the scenario. */
export function node(name: string, change: NodeChange): Step {
  return step(`node ${name}: ${JSON.stringify(change)}`, { do: "node", name, change });
}

/** Starts or stops renewing the lease of a node. */
export function heartbeats(name: string, on: boolean): Step {
  return step(`heartbeats of node ${name} ${on ? "resume" : "stop"}`, { do: "heartbeats", name, on });
}

/** Lets time pass: real on a real control plane, virtual on ours. */
export function wait(seconds: number): Step {
  return step(`wait ${seconds} s`, { do: "wait", seconds });
}

/** Lets time pass until 4 seconds after the next full minute. */
export const nextMinute: Step = step("the next minute starts", { do: "minute" });

function choice(of: string | PodChoice): PodChoice {
  return typeof of === "string" ? { of } : of;
}

function describePods({ of, state, node: on, oldest, newest }: PodChoice): string {
  const age = oldest === undefined ? (newest === undefined ? "" : `newest ${newest} `) : `oldest ${oldest} `;
  return `${age}${state === undefined ? "" : `${state} `}pods of ${of}${on === undefined ? "" : ` on ${on}`}`;
}

function nameOf(object: JsonObject): string {
  const metadata = object["metadata"];
  const name = typeof metadata === "object" && metadata !== null && "name" in metadata ? metadata["name"] : "";
  return `${object["kind"]} ${name}`;
}

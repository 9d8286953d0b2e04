import { type Amounts, one } from "./amounts.js";
import { type CountedClaim, claimUsage, isClaimIn, tracksClaims } from "./claim-evaluator.js";
import { type CountedPod, hasDeadline, isPodIn, podUsage, tracksPods, unsaidOf } from "./pod-evaluator.js";
import type { ScopeRequirement } from "./scope.js";
import { type CountedService, serviceUsage, tracksServices } from "./service-evaluator.js";

/** An object of any kind, as it is stored: what evaluators read of it was checked when it was written. */
export type CountedObject = object;

/** What objects of one resource count for. */
export interface Evaluator {
  /** Whether a name in a quota is about this resource. */
  tracks(name: string): boolean;
  usage(object: CountedObject, nowMs: number): Amounts;
  /** Whether an object is in a scope; those that no scope knows are in none. */
  isIn(scope: ScopeRequirement, object: CountedObject): boolean;
  /** What an object must say where these names are limited, in the words of a real server; undefined when nothing is missing. */
  unsaid(object: CountedObject, limited: readonly string[]): string | undefined;
  /** Whether a change is charged. */
  chargesChange(object: CountedObject, old: CountedObject, subresource: string): boolean;
}

/** Resources that no quota counts. */
const ignored: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/** Whether no quota counts a resource (`deployments.apps`). */
export function isIgnored(resource: string): boolean {
  return ignored.has(resource);
}

/** By what name a quota counts objects of a resource (`deployments.apps`). */
export function countName(resource: string): string {
  return `count/${resource}`;
}

const pods: Evaluator = {
  tracks: tracksPods,
  usage: (pod, nowMs) => podUsage(pod as CountedPod, nowMs),
  isIn: (scope, pod) => isPodIn(scope, pod as CountedPod),
  unsaid: (pod, limited) => unsaidOf(pod as CountedPod, limited),
  chargesChange: (pod, old, subresource) =>
    subresource === "resize" ||
    (subresource === "" && hasDeadline(pod as CountedPod) !== hasDeadline(old as CountedPod)),
};

const services: Evaluator = {
  tracks: tracksServices,
  usage: (service) => serviceUsage(service as CountedService),
  isIn: () => false,
  unsaid: () => undefined,
  chargesChange: (_, __, subresource) => subresource === "",
};

const claims: Evaluator = {
  tracks: tracksClaims,
  usage: (claim) => claimUsage(claim as CountedClaim),
  isIn: (scope, claim) => isClaimIn(scope, claim as CountedClaim),
  unsaid: () => undefined,
  chargesChange: (_, __, subresource) => subresource === "" || subresource === "status",
};

/** Resources whose objects are also counted by the resource's name alone. */
const aliased: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** What objects of a resource (`deployments.apps`) count for. */
export function evaluatorFor(resource: string): Evaluator {
  if (resource === "pods") return pods;
  if (resource === "services") return services;
  if (resource === "persistentvolumeclaims") return claims;
  const names = aliased.has(resource) ? [countName(resource), resource] : [countName(resource)];
  return {
    tracks: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, one])),
    isIn: () => false,
    unsaid: () => undefined,
    chargesChange: () => false,
  };
}

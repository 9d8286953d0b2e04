import {
  type CountedPod,
  hasDeadline,
  missingResources,
  podMatchesScope,
  podUsage,
  tracksPods,
} from "./pod-evaluator.js";
import { type CountedPvc, pvcMatchesScope, pvcUsage, tracksPvcs } from "./pvc-evaluator.js";
import { one, type ResourceList } from "./resource-list.js";
import type { ScopeRequirement } from "./scope.js";
import { type CountedService, serviceUsage, tracksServices } from "./service-evaluator.js";

/** A stored object of any kind. It was validated when it was written. */
export type CountedObject = object;

/** Computes the quota usage of one resource's objects. */
export interface Evaluator {
  /** Whether a quota's resource name counts this resource. */
  tracks(name: string): boolean;
  usage(object: CountedObject, nowMs: number): ResourceList;
  /** Whether an object matches a scope. False for kinds that the scope does not apply to. */
  matchesScope(scope: ScopeRequirement, object: CountedObject): boolean;
  /** kube-apiserver's error for an object that lacks requests or limits which `limited` requires; undefined if it lacks none. */
  missingResources(object: CountedObject, limited: readonly string[]): string | undefined;
  /** Whether admission charges an update. */
  chargesChange(object: CountedObject, old: CountedObject, subresource: string): boolean;
}

/** Resources that ResourceQuota ignores. */
const ignored: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/** Whether ResourceQuota ignores a resource (`deployments.apps`). */
export function isIgnored(resource: string): boolean {
  return ignored.has(resource);
}

/** The object count quota name of a resource (`deployments.apps`). */
export function countName(resource: string): string {
  return `count/${resource}`;
}

const pods: Evaluator = {
  tracks: tracksPods,
  usage: (pod, nowMs) => podUsage(pod as CountedPod, nowMs),
  matchesScope: (scope, pod) => podMatchesScope(scope, pod as CountedPod),
  missingResources: (pod, limited) => missingResources(pod as CountedPod, limited),
  chargesChange: (pod, old, subresource) =>
    subresource === "resize" ||
    (subresource === "" && hasDeadline(pod as CountedPod) !== hasDeadline(old as CountedPod)),
};

const services: Evaluator = {
  tracks: tracksServices,
  usage: (service) => serviceUsage(service as CountedService),
  matchesScope: () => false,
  missingResources: () => undefined,
  chargesChange: (_, __, subresource) => subresource === "",
};

const claims: Evaluator = {
  tracks: tracksPvcs,
  usage: (claim) => pvcUsage(claim as CountedPvc),
  matchesScope: (scope, claim) => pvcMatchesScope(scope, claim as CountedPvc),
  missingResources: () => undefined,
  chargesChange: (_, __, subresource) => subresource === "" || subresource === "status",
};

/** Resources that also have a quota name without the `count/` prefix. */
const aliased: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** The evaluator of a resource (`deployments.apps`). */
export function evaluatorFor(resource: string): Evaluator {
  if (resource === "pods") return pods;
  if (resource === "services") return services;
  if (resource === "persistentvolumeclaims") return claims;
  const names = aliased.has(resource) ? [countName(resource), resource] : [countName(resource)];
  return {
    tracks: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, one])),
    matchesScope: () => false,
    missingResources: () => undefined,
    chargesChange: () => false,
  };
}

import type { JsonObject } from "@kubewright/core/json";
import {
  type AdmissionRequest,
  ApiFailure,
  metadataOf,
  namespacesBucket,
  notFound,
  type Registry,
  type Resource,
} from "../../registry/index.js";
import { conversionProblem, type Match, type MatchContext, matchRequest } from "../matching/index.js";
import { ConfigurationProblem, collectParams, paramResource } from "./params.js";
import type { Binding, Policy } from "./policy.js";

/** A policy that applies to a request through a binding, with one object of parameters. */
export interface Invocation {
  readonly kind: "invocation";
  readonly policy: Policy;
  readonly binding: Binding;
  readonly match: Match;
  readonly params: JsonObject | undefined;
}

/** A policy or binding that cannot be used for a request that it matches. */
export interface Misconfiguration {
  readonly kind: "misconfiguration";
  readonly policy: Policy;
  /** Undefined if the policy itself is wrong. */
  readonly binding: Binding | undefined;
  readonly message: string;
}

/** How a policy applies to a request: by binding, then by parameters. Match conditions are not evaluated yet. */
export function invocationsOf(
  policy: Policy,
  request: AdmissionRequest,
  context: MatchContext,
  registry: Registry,
): (Invocation | Misconfiguration)[] {
  const wrong = (error: unknown, binding?: Binding): Misconfiguration => {
    if (!(error instanceof ConfigurationProblem || error instanceof ApiFailure)) throw error;
    const message = `failed to configure ${binding ? "binding" : "policy"}: ${error.message}`;
    return { kind: "misconfiguration", policy, binding, message };
  };
  let match: Match | undefined;
  let resource: Resource | undefined;
  try {
    match = matchRequest(request, policy.criteria, context);
    if (match === undefined) return [];
    resource = paramResource(policy, registry);
  } catch (error) {
    return [wrong(error)];
  }
  const matched = match;
  return policy.bindings.flatMap((binding): (Invocation | Misconfiguration)[] => {
    try {
      if (binding.criteria && !matchRequest(request, binding.criteria, context)) return [];
      const collected = collectParams(binding, resource, request, registry);
      const problem = conversionProblem(request);
      if (problem !== undefined) return [wrong(new ConfigurationProblem(problem))];
      return collected.map((params) => ({ kind: "invocation", policy, binding, match: matched, params }));
    } catch (error) {
      return [wrong(error, binding)];
    }
  });
}

/** The variable `namespaceObject`: the Namespace of a request, without ownerReferences and managedFields. Throws a 404 if it does not exist. */
export function namespaceObject({ resource, namespace }: AdmissionRequest, registry: Registry): JsonObject | undefined {
  if (namespace === "" || resource.bucket === namespacesBucket) return undefined;
  const record = registry.store.bucket(namespacesBucket).get(namespace);
  if (!record) throw notFound({ group: "", plural: "namespaces", kind: "Namespace" }, namespace);
  const { ownerReferences: _owners, managedFields: _fields, selfLink: _link, ...metadata } = metadataOf(record.object);
  return { metadata, spec: record.object["spec"] ?? {}, status: record.object["status"] ?? {} };
}

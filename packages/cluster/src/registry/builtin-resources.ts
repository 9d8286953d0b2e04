import { qualifiedResource } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { type BuiltinData, builtinData, builtinSchema } from "./builtin-api.js";
import { configMapStrategy } from "./config-map.js";
import { definitionStrategy } from "./definition-strategy.js";
import { deploymentStrategy } from "./deployment.js";
import { coreEventStrategy, eventFromCore, eventStrategy, eventToCore } from "./event.js";
import { leaseStrategy } from "./lease.js";
import { namespaceStrategy } from "./namespace.js";
import type { Resource, Strategy } from "./resource.js";
import { secretStrategy } from "./secret.js";

/** What each built-in kind does differently, by `group/version/Kind`. */
const strategies: Readonly<Record<string, Strategy>> = {
  "/v1/Namespace": namespaceStrategy,
  "/v1/ConfigMap": configMapStrategy,
  "/v1/Secret": secretStrategy,
  "/v1/Event": coreEventStrategy,
  "events.k8s.io/v1/Event": eventStrategy,
  "coordination.k8s.io/v1/Lease": leaseStrategy,
  "apps/v1/Deployment": deploymentStrategy,
  "apiextensions.k8s.io/v1/CustomResourceDefinition": definitionStrategy,
};

/** The bucket of the definitions of custom resources. */
export const definitionsBucket = "customresourcedefinitions.apiextensions.k8s.io";

/** The bucket of namespaces. */
export const namespacesBucket = "namespaces";

/** Every built-in resource that this server serves. */
export function builtinResources(): Resource[] {
  return builtinData().flatMap((data) => {
    const strategy = strategies[`${data.group}/${data.version}/${data.kind}`];
    return strategy ? [makeResource(data, strategy)] : [];
  });
}

function makeResource(data: BuiltinData, strategy: Strategy): Resource {
  const { schema: component, listSchema: _, ...shared } = data;
  const isEvent = data.group === "events.k8s.io";
  const isDeployment = data.kind === "Deployment";
  const seen = new WeakMap<JsonObject, JsonObject>();
  return {
    ...shared,
    listKind: `${data.kind}List`,
    // Events of both groups are the same objects.
    bucket: isEvent ? "events" : qualifiedResource(data.group, data.plural),
    strategy,
    origin: "builtin",
    component,
    ...(isEvent ? { internalGroup: "" } : {}),
    schema: () => builtinSchema(component),
    ...(isDeployment ? { scale: { specReplicas: "spec.replicas", statusReplicas: "status.replicas" } } : {}),
    fromStored(stored) {
      if (!isEvent) return stored;
      let converted = seen.get(stored);
      if (!converted) {
        converted = Object.freeze(eventFromCore(stored));
        seen.set(stored, converted);
      }
      return converted;
    },
    toStored: (object) => (isEvent ? eventToCore(object) : object),
  };
}

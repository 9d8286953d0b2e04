import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { post, type Step, waitFor } from "../test-case.js";

/** The ConfigMaps of the case's namespace. */
export const configMaps = "/api/v1/namespaces/{ns}/configmaps";
/** The Secrets of the case's namespace. */
export const secrets = "/api/v1/namespaces/{ns}/secrets";
/** The Pods of the case's namespace. */
export const pods = "/api/v1/namespaces/{ns}/pods";
/** The PersistentVolumeClaims of the case's namespace. */
export const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
/** The Services of the case's namespace. */
export const services = "/api/v1/namespaces/{ns}/services";
/** The Deployments of the case's namespace. */
export const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
/** The Leases of the case's namespace. */
export const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
/** All CRDs. */
export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** The CRD of the case's Widget kind. */
export const definition = `${definitions}/widgets.{group}`;
/** The Widgets of the case's namespace. */
export const widgets = "/apis/{group}/v1/namespaces/{ns}/widgets";

/** An object with this name and these other fields. */
export function object(apiVersion: string, kind: string, name: string, fields: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...fields };
}

/** A container of a pod. */
export function container(name: string, image: string, fields: JsonObject = {}): JsonObject {
  return { name, image, ...fields };
}

/** A ConfigMap. */
export function configMap(name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** A minimal Deployment. */
export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
      ...spec,
    },
  };
}

/** A Widget. */
export function widget(name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "{group}/v1", kind: "Widget", metadata: { name, ...metadata }, ...rest };
}

/** The schema of an object whose `spec` has these properties. */
export function specSchema(properties: JsonObject, spec: JsonObject = {}): JsonObject {
  return { type: "object", properties: { spec: { type: "object", properties, ...spec }, status: statusSchema } };
}

const statusSchema: JsonObject = {
  type: "object",
  properties: { ready: { type: "boolean" }, replicas: { type: "integer" }, selector: { type: "string" } },
};

/** Schema properties that suit most cases. */
export const size: JsonObject = { size: { type: "integer" }, color: { type: "string" } };

/** A version of Widget. */
export function version(name: string, schema: JsonObject, rest: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...rest };
}

/** The CRD of Widget in the case's group. */
export function widgetDefinition(versions: JsonValue, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.{group}" },
    spec: { group: "{group}", names: { kind: "Widget", plural: "widgets" }, scope: "Namespaced", versions, ...spec },
  };
}

/** Defines Widget with one version, and waits until it is served. */
export function define(schema: JsonObject, rest: JsonObject = {}, spec: JsonObject = {}): Step[] {
  return [
    { ...post(definitions, widgetDefinition([version("v1", schema, rest)], spec)), silent: true },
    waitFor(definition, { includes: "InitialNamesAccepted" }),
    waitFor("/apis/{group}/v1/widgets"),
  ];
}

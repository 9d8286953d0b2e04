import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Transport } from "@kubewright/core/transport";
import { randomValue } from "@kubewright/testing";
import { createClient } from "kubewright";
import type { CustomResourceDefinition } from "kubewright/crd";
import { CustomResourceDefinition as Definitions } from "kubewright/k8s/apiextensions/v1";

/** The CRD in another API group, without webhook conversion: there is no webhook to call. */
export function withoutWebhook(definition: CustomResourceDefinition, behindGroup: string): CustomResourceDefinition {
  const { conversion: _, group, ...spec } = definition.spec;
  const { plural, kind, listKind, singular } = spec.names;
  return {
    ...definition,
    metadata: {
      name: `${plural}.${group}${behindGroup}`,
      ...(definition.metadata.annotations && { annotations: definition.metadata.annotations }),
    },
    // Without short names and categories, which conflict with those of the original.
    spec: { ...spec, names: { plural, kind, listKind, singular }, group: `${group}${behindGroup}` },
  };
}

/** Creates a CRD and waits until it is established. Returns the error if it is rejected. */
export async function install(transport: Transport, definition: CustomResourceDefinition): Promise<string | undefined> {
  const client = createClient(transport);
  const { name } = definition.metadata;
  try {
    const created = await client.create(Definitions, definition as never);
    const from = { fields: { "metadata.name": name }, resourceVersion: created.metadata.resourceVersion };
    for await (const event of await client.watch(Definitions, from)) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { conditions = [] } = event.object.status ?? {};
      if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return undefined;
    }
    return "the watch ended";
  } catch (error) {
    return String(error);
  }
}

/** A random object of this schema, without metadata. */
export function randomBody(schema: Schema, random: () => number, wrongShare: number): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
  const required = schema.required?.filter((field) => Object.hasOwn(properties, field)) ?? [];
  const value = randomValue({ ...schema, properties, required }, random, { wrongShare });
  return isJsonObject(value) ? value : {};
}

/** The response to a create or an update. */
export interface Response {
  readonly status: number;
  readonly body: JsonObject;
}

/** An object to create or update. */
export interface SentObject {
  readonly definition: CustomResourceDefinition;
  readonly version: string;
  readonly name: string;
  /** That of the stored object, for an update. */
  readonly resourceVersion?: string | undefined;
  /** Without metadata. */
  readonly body: JsonObject;
}

/** Creates the object. */
export function create(transport: Transport, object: SentObject): Promise<Response> {
  return send(transport, object, { method: "POST", query: {} });
}

/** Sends a dry-run create. */
export function dryRunCreate(transport: Transport, object: SentObject): Promise<Response> {
  return send(transport, object, { method: "POST", query: { dryRun: "All" } });
}

/** Sends a dry-run update of an object that exists. */
export function dryRunUpdate(transport: Transport, object: SentObject): Promise<Response> {
  return send(transport, object, { method: "PUT", query: { dryRun: "All" } });
}

async function send(
  transport: Transport,
  { definition: { spec }, version, name, resourceVersion, body }: SentObject,
  { method, query }: { readonly method: "POST" | "PUT"; readonly query: Readonly<Record<string, string>> },
): Promise<Response> {
  const apiVersion = `${spec.group}/${version}`;
  const place = spec.scope === "Namespaced" ? "/namespaces/default" : "";
  const collection = `/apis/${apiVersion}${place}/${spec.names.plural}`;
  const path = method === "PUT" ? `${collection}/${name}` : collection;
  const object = {
    apiVersion,
    kind: spec.names.kind,
    metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
    ...body,
  };
  for (let attempt = 0; ; attempt++) {
    const response = await transport.send({ method, path, query, body: object });
    // A CRD is established a moment before it is served.
    if (response.status === 404 && attempt < 200) continue;
    return { status: response.status, body: isJsonObject(response.body) ? response.body : {} };
  }
}

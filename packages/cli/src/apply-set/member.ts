import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Client } from "kubewright";
import type { DiscoveredKind } from "kubewright/client";

/** An object that is applied, with its kind. */
export interface Member {
  readonly kind: DiscoveredKind;
  readonly object: JsonObject;
  readonly name: string;
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
}

/** The object as a member. Rejects when the server does not serve its kind. */
export async function memberOf(client: Client, object: JsonObject): Promise<Member> {
  const kind = await client.kind(`${String(object["apiVersion"])}/${String(object["kind"])}`);
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const { name, namespace } = metadata;
  return {
    kind,
    object,
    name: String(name ?? ""),
    namespace: kind.scope === "Cluster" ? "" : String(namespace ?? client.namespace),
  };
}

/** As the ApplySet specification names a kind: `Deployment.apps`, `ConfigMap`. */
export function groupKind({ kind, group }: DiscoveredKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** As kubectl prints an object: `deployment.apps/web`. */
export function printedName({ kind, name }: Pick<Member, "kind" | "name">): string {
  return `${groupKind(kind).toLowerCase()}/${name}`;
}

/** Distinguishes objects of all kinds, whatever the version. */
export function memberKey({ kind, name, namespace }: Pick<Member, "kind" | "name" | "namespace">): string {
  return `${groupKind(kind)} ${namespace}/${name}`;
}

/** How the client names it. */
export function nameFor({ kind, name, namespace }: Pick<Member, "kind" | "name" | "namespace">): never {
  // The scope of a discovered kind is known at run time only.
  return (kind.scope === "Cluster" ? name : { namespace, name }) as never;
}

import { isJsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";

/** More are not reported: the remedy is the same. */
const maxFields = 20;
/** A server completes these at the root, and in embedded resources. */
const serverFields = new Set(["apiVersion", "kind", "metadata"]);

/**
 * The fields of `own` that a server with the schema `served` prunes: those that `served` does not specify, and that no
 * `x-kubernetes-preserve-unknown-fields` keeps. At most twenty, such as `.spec.hosts[].tls`; `.status.labels.*` stands for all members of a map.
 *
 * What `served` describes by reference, as OpenAPI documents do for metadata, counts as specified.
 */
export function prunedFields(own: Schema, served: Schema): string[] {
  const found: string[] = [];
  collect(own, served, "", found);
  return found;
}

function collect(own: Schema, served: Schema, path: string, found: string[]): void {
  if (found.length >= maxFields || isReference(served)) return;
  const keeps = served["x-kubernetes-preserve-unknown-fields"] === true;
  const completes = path === "" || served["x-kubernetes-embedded-resource"] === true;
  const others = served.additionalProperties;
  for (const [name, field] of Object.entries(own.properties ?? {})) {
    if (completes && serverFields.has(name)) continue;
    const specified = served.properties?.[name] ?? (isJsonObject(others) ? (others as Schema) : undefined);
    if (specified !== undefined) collect(field, specified, `${path}.${name}`, found);
    else if (!keeps && others !== true && found.length < maxFields) found.push(`${path}.${name}`);
  }
  if (own.items && served.items) collect(own.items, served.items, `${path}[]`, found);
  const members = own.additionalProperties;
  if (isJsonObject(members) && isJsonObject(others)) collect(members as Schema, others as Schema, `${path}.*`, found);
  const takesAny = own["x-kubernetes-preserve-unknown-fields"] === true || members !== undefined;
  if (takesAny && members !== false && !keeps && (others ?? false) === false) found.push(`${path}.*`);
}

function isReference(schema: Schema): boolean {
  return "$ref" in schema || schema.allOf?.some((part) => "$ref" in part) === true;
}

import type { KindVersions } from "@kubewright/core/apply";
import type { JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Draft } from "./draft.js";
import { andThen, type Eventually } from "./eventually.js";
import type { Strategy } from "./strategy.js";

/** One subresource, as discovery lists it. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Set if the group or the version differs from the resource's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** One resource in one version, as data. All resources share the implementation of the verbs. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash: string;
  readonly subresources: readonly Subresource[];
  /** The storage bucket; the versions of a resource share it. */
  readonly bucket: string;
  readonly strategy: Strategy;
  /** Custom resources are pruned, defaulted and validated by their schema, built-in ones by code. */
  readonly origin: "builtin" | "custom";
  /** Resolved on first use. A custom resource also returns the schema of another version; undefined for an unknown version. */
  schema(apiVersion?: string): Schema | undefined;
  /** The schema for merging, if it differs from the schema for validation. */
  mergeSchema?(): Schema | undefined;
  /** The kind's versions, with the {@link mergeSchema} of each. If a webhook converts them, see {@link convert}. */
  readonly versions: KindVersions;
  /** Converts a stored object to this version. The result is frozen; it is the stored value itself if no conversion is needed. */
  fromStored(stored: JsonObject): JsonObject;
  /**
   * Converts stored objects in advance, so that {@link fromStored} finds the results. Only resources with a conversion webhook have it.
   * Returns undefined if nothing must be awaited, else a promise that rejects with the {@link ApiFailure} of a failed conversion.
   */
  load?(stored: readonly JsonObject[]): Promise<void> | undefined;
  /** Converts an object of this version to another one. Only resources with a conversion webhook have it. */
  convert?(object: JsonObject, apiVersion: string): Promise<JsonObject>;
  /** Converts an object of this version to its stored form. The caller owns the draft, and then the result. */
  toStored(draft: Draft): Eventually<Draft>;
  /** Why creates are currently rejected; undefined if they are not. */
  rejectsNew?(): string | undefined;
  /** The warning of every request to a deprecated version. */
  readonly deprecationWarning?: string;
  /** The OpenAPI component of a built-in kind; that of a custom kind is named after group, version and kind. */
  readonly component?: string;
  /** The field paths of the scale subresource. */
  readonly scale?: ScalePaths;
}

/** The field paths of an `autoscaling/v1` Scale, dotted, without a leading dot. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** Whether a custom resource has a status subresource: only that writes the status. */
export function hasStatusSubresource(resource: Resource): boolean {
  return resource.origin === "custom" && resource.subresources.some((part) => part.name === "status");
}

/** The schema for merging objects of a resource and for their field ownership. */
export function mergeSchemaOf(resource: Resource): Schema | undefined {
  return resource.mergeSchema ? resource.mergeSchema() : resource.schema();
}

/** Converts a stored object to the version of the resource, by a webhook if the kind has one. */
export function readStored(resource: Resource, stored: JsonObject): Eventually<JsonObject> {
  return andThen(resource.load?.([stored]), () => resource.fromStored(stored));
}

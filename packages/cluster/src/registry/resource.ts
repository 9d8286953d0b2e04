import type { KindVersions } from "@kubewright/core/apply";
import type { JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Draft } from "./draft.js";
import { andThen, type Eventually } from "./eventually.js";
import type { Strategy } from "./strategy.js";

/** A path below an object that is served on its own. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Where they differ from the resource's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** One resource in one version, as data; the verbs are the same for all. */
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
  /** Where its objects are stored; versions of one resource share it. */
  readonly bucket: string;
  readonly strategy: Strategy;
  /** Custom resources are pruned, defaulted and checked by their schema, built-in ones by code. */
  readonly origin: "builtin" | "custom";
  /** Resolved when it is first asked for. Of a custom resource also that of another version; undefined for one that it has not. */
  schema(apiVersion?: string): Schema | undefined;
  /** The schema by which its objects merge, where it is not the one that they are checked by. */
  mergeSchema?(): Schema | undefined;
  /** The kind's versions, with the {@link mergeSchema} of each. Where a webhook converts them, see {@link convert}. */
  readonly versions: KindVersions;
  /** What this version shows of a stored object: frozen, and the stored value itself where both are equal. */
  fromStored(stored: JsonObject): JsonObject;
  /**
   * Converts stored objects ahead, so that {@link fromStored} finds the results. Only a resource that a webhook converts has it. Returns
   * undefined where nothing must be awaited, else a promise that rejects with the {@link ApiFailure} of a failed conversion.
   */
  load?(stored: readonly JsonObject[]): Promise<void> | undefined;
  /** Converts an object of this version to another one. Only a resource that a webhook converts has it. */
  convert?(object: JsonObject, apiVersion: string): Promise<JsonObject>;
  /** What is stored for an object of this version. The caller owns the draft, and then the result. */
  toStored(draft: Draft): Eventually<Draft>;
  /** Why new objects are refused for now; undefined when they are not. */
  refusesNew?(): string | undefined;
  /** A warning for every use of this version; undefined for none. */
  readonly deprecationWarning?: string;
  /** The name under which a built-in kind's schema is published; custom ones are named after group, version and kind. */
  readonly component?: string;
  /** Where a scale lies in the object. */
  readonly scale?: ScalePaths;
}

/** Where `autoscaling/v1` Scale finds its parts, as dotted paths without a leading dot. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** Whether the status of a custom resource is written by a path of its own, and by no other. */
export function hasStatusPath(resource: Resource): boolean {
  return resource.origin === "custom" && resource.subresources.some((part) => part.name === "status");
}

/** The schema by which objects of a resource merge, and their fields are owned. */
export function mergeSchemaOf(resource: Resource): Schema | undefined {
  return resource.mergeSchema ? resource.mergeSchema() : resource.schema();
}

/** What a version shows of a stored object, once a webhook has converted it where one must. */
export function readStored(resource: Resource, stored: JsonObject): Eventually<JsonObject> {
  return andThen(resource.load?.([stored]), () => resource.fromStored(stored));
}

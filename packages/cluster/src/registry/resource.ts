import type { KindVersions } from "@kubewright/core/apply";
import type { JsonObject } from "@kubewright/core/json";
import type { FieldError, Schema } from "@kubewright/core/schema";
import type { Store } from "../storage/index.js";
import type { Draft } from "./draft.js";
import type { Extensions } from "./extensions/index.js";
import type { NameRule } from "./name-rules.js";

/** A path below an object that is served on its own. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** Where they differ from the resource's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** One column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description?: string;
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority?: number;
  /** The cell of one object; undefined and null print as `<none>`. `nowMs` is the server's time. */
  cell(object: JsonObject, nowMs: number): string | number | boolean | null | undefined;
}

/** What makes a kind differ from others. Every function works on a draft in place, or only reads. */
export interface Strategy {
  readonly nameRule: NameRule;
  /** Whether an update may leave out the resource version. */
  readonly unconditionalUpdate: boolean;
  /** Whether an update of an object that is not there creates it. @default false */
  readonly createOnUpdate?: boolean;
  /** Whether the kind's code leaves frozen parts of a draft as they are, so that a patch copies only what it changes. @default false */
  readonly leavesFrozen?: boolean;
  /** Whether `metadata.generation` is kept. */
  readonly tracksGeneration: boolean;
  /** Fills in what the kind has by default, on every write. */
  applyDefaults?(draft: Draft): void;
  /** Fills in what depends on other objects, on creation, as admission of a real server does; throws the refusal. */
  admitNew?(draft: Draft, store: Store, dryRun: boolean): void;
  /** Sets what a client may not choose, after defaults. */
  prepareNew?(draft: Draft): void;
  /** The same for an update; `subresource` is empty for the object itself, `time` is now. */
  prepareChange?(draft: Draft, old: JsonObject, subresource: string, time: string): void;
  /** What of a change depends on other objects, after its owner is known and before it is checked; throws the refusal. `time` is now. */
  admitChange?(draft: Draft, old: JsonObject, subresource: string, store: Store, time: string, dryRun: boolean): void;
  /** Refuses what is valid by itself but not beside other objects, as admission does after the check. `old` is undefined for a new object. */
  admitChecked?(object: JsonObject, old: JsonObject | undefined, subresource: string, store: Store): void;
  /** Fields, beside the status, that a write to the object leaves alone: nobody comes to own them. */
  readonly keeps?: readonly (readonly string[])[];
  /** Paths below the object on which all that is sent gets an owner, also what the kind leaves out of account. */
  readonly ownsAllOn?: readonly string[];
  /** Fields of the metadata that a write to the status leaves alone. */
  readonly statusKeeps?: readonly (readonly string[])[];
  /** What breaks the kind's rules, beside its metadata. */
  check?(object: JsonObject, old: JsonObject | undefined, subresource: string, extensions: Extensions): FieldError[];
  /** Whether a change counts as a new generation. @default any change outside metadata and status */
  isNewGeneration?(object: JsonObject, old: JsonObject): boolean;
  /** Whether the object has reasons of its own, beside finalizers, to stay while it is being deleted. */
  holdsDeletion?(object: JsonObject): boolean;
  /** How long an object may take to end after a delete that asks for `asked` seconds; kinds without it go at once. */
  graceSeconds?(object: JsonObject, asked: number | undefined): number;
  /** Whether the answer to a delete is the object that went, not a Status. @default false */
  readonly returnsDeleted?: boolean;
  /** What a delete that leaves it open what becomes of dependents is warned of. */
  readonly deleteWarning?: string;
  /** What becomes of dependents when a delete does not say so. @default they go in the background */
  readonly defaultPropagation?: "Orphan";
  /** Marks an object that begins to be deleted, for instance by a phase. `time` is now. */
  markDeleted?(draft: Draft, time: string): void;
  /** Adds what a real server prints even where it is unset; nobody owns such fields. */
  finish?(draft: Draft): void;
  /** What a real server's empty object of this kind holds: nobody comes to own those structures by creating one. */
  readonly empty?: JsonObject;
  /** Fields that a field selector may name, beside `metadata.name` and `metadata.namespace`. */
  readonly selectableFields?: Readonly<Record<string, (object: JsonObject) => string>>;
  /** Every column, the name's included. */
  readonly columns: readonly Column[];
  /** What a table tells of a whole row, for instance that the object is done with. */
  rowConditions?(object: JsonObject): readonly JsonObject[];
  /** Warnings for a write that succeeds, but for changes of the status alone; `old` is undefined for a create. */
  warn?(object: JsonObject, old: JsonObject | undefined): readonly string[];
  /** Warnings for a change of the status that succeeds. */
  warnStatus?(object: JsonObject): readonly string[];
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
  /** The kind's versions, with the {@link mergeSchema} of each. */
  readonly versions: KindVersions;
  /** What this version shows of a stored object: frozen, and the stored value itself where that is all there is to show. */
  fromStored(stored: JsonObject): JsonObject;
  /** What is stored for an object of this version. */
  toStored(object: JsonObject): JsonObject;
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

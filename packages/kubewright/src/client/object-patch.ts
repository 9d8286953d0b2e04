import type { DeepReadonly } from "@kubewright/core/json";
import type { AnyKind, StatusOf, WriteMeta, WriteOf } from "../definition/index.js";

/** A JSON merge patch of a value: fields that are left out stay, `null` removes a field, a list is replaced as a whole. */
export type MergePatchOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Field in keyof T]?: MergePatchOf<T[Field]> | null | undefined }
    : T;

/**
 * A strategic merge patch of a value: as a merge patch, but lists of built-in kinds are merged by their keys, so that items may be partial, and
 * directives such as `$patch` are allowed.
 */
export type StrategicPatchOf<T> = T extends readonly (infer Item)[]
  ? readonly StrategicPatchOf<Item>[]
  : T extends object
    ? StrategicFieldsOf<T> | (StrategicFieldsOf<T> & { readonly [Directive in `$${string}`]?: unknown })
    : T;

/** The fields of an object in a strategic merge patch. */
export type StrategicFieldsOf<T extends object> = {
  readonly [Field in keyof T]?: StrategicPatchOf<T[Field]> | null | undefined;
};

/** One operation of a JSON patch (RFC 6902). Paths are JSON pointers, such as `/metadata/labels/app`. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** The metadata that a patch changes, or requires: with `uid` and `resourceVersion` it fails when the object is another one or has changed. */
export interface PatchedMeta extends WriteMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What a patch can change of an object. */
export type PatchedObject<K extends AnyKind> = ([WriteOf<K>] extends [never] ? unknown : WriteOf<K>) & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: PatchedMeta;
  readonly status?: DeepReadonly<StatusOf<K>>;
};

/** A change of an object, in one of the three patch formats of Kubernetes. */
export type ObjectPatch<K extends AnyKind = AnyKind> =
  | { readonly merge: MergePatchOf<PatchedObject<K>> }
  | { readonly json: readonly JsonPatchOperation[] }
  | { readonly strategic: StrategicPatchOf<PatchedObject<K>> };

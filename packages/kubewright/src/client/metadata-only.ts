import type { AnyKind, Kind, KindTypes, ReadMeta, Scope } from "../definition/index.js";

/** An object of which only the metadata was read. Type and version are those of the whole object. */
export interface MetadataOnlyObject {
  apiVersion: string;
  kind: string;
  metadata: ReadMeta;
}

/** The types of a kind of which only the metadata is read. */
export interface MetadataTypes extends KindTypes {
  read: MetadataOnlyObject;
  write: never;
  status: never;
  conditions: never;
}

/** The handle that {@link metadataOnly} returns: of the same resource, but another kind for the compiler and for a cache. */
export interface MetadataOnlyKind<Id extends string = string, S extends Scope = Scope>
  extends Kind<`${Id} metadata`, S, MetadataTypes> {
  readonly view: "metadata";
}

/**
 * The same kind, of which reads and watches return only the metadata (`PartialObjectMetadata`).
 *
 * Saves the server, the network and the memory the rest: for owners, labels and counts of large objects. Objects can be read, watched, patched
 * and deleted by it, not created, updated or applied.
 *
 * @example
 * for await (const { metadata } of client.list(metadataOnly(Secret), { allNamespaces: true })) console.log(metadata.name);
 */
export function metadataOnly<K extends AnyKind>(kind: K): MetadataOnlyKind<K["id"], K["scope"]> {
  const { id, group, version, kind: name, plural, scope } = kind;
  return Object.freeze({ id: `${id}${suffix}` as const, group, version, kind: name, plural, scope, view: "metadata" });
}

const suffix = " metadata";

/** The id of `metadataOnly(kind)`, which may be `kind` itself. */
export function metadataId(kind: AnyKind): string {
  return isMetadataOnly(kind) ? kind.id : `${kind.id}${suffix}`;
}

/** The id of the kind of whole objects, which may be `kind` itself. */
export function wholeId(kind: AnyKind): string {
  return isMetadataOnly(kind) ? kind.id.slice(0, -suffix.length) : kind.id;
}

/** Whether a kind is one of {@link metadataOnly}. */
export function isMetadataOnly(kind: AnyKind): boolean {
  return "view" in kind && kind.view === "metadata";
}

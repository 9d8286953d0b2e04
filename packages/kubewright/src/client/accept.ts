import type { AnyKind } from "../definition/index.js";
import { isMetadataOnly } from "./metadata-only.js";

const wholeObject: Readonly<Record<string, string>> = {};
// A server that cannot transform, for instance an old extension server, may send the whole: what is too much is dropped here.
const metadataOfOne = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json" };
const metadataOfMany = { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json" };

/** The header that asks for a list as a Table. */
export const acceptTable = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1,application/json" };

/** The header that asks for one object, or for events of one each, in the form that the kind stands for. */
export function acceptOne(kind: AnyKind): Readonly<Record<string, string>> {
  return isMetadataOnly(kind) ? metadataOfOne : wholeObject;
}

/** The header that asks for a list in the form that the kind stands for. */
export function acceptMany(kind: AnyKind): Readonly<Record<string, string>> {
  return isMetadataOnly(kind) ? metadataOfMany : wholeObject;
}

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

/** The header of a body in JSON. */
export const jsonHeaders: Readonly<Record<string, string>> = { "content-type": "application/json" };
/** The header of a body that is applied. */
export const applyHeaders: Readonly<Record<string, string>> = { "content-type": "application/apply-patch+yaml" };

const written = new Map<string, Readonly<Record<string, string>>>();
const writtenMetadata = new Map<string, Readonly<Record<string, string>>>();

/** The headers of a body of that type that is answered with an object of the kind. Always the same object for the same. */
export function writeHeaders(kind: AnyKind, contentType: string): Readonly<Record<string, string>> {
  const known = isMetadataOnly(kind) ? writtenMetadata : written;
  let headers = known.get(contentType);
  if (headers === undefined) {
    headers = { "content-type": contentType, ...acceptOne(kind) };
    known.set(contentType, headers);
  }
  return headers;
}

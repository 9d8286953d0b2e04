import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";

/** The versions of a kind: managers own fields in the one that they wrote. */
export interface KindVersions {
  /** The kind's schema in a version; undefined where there is no such version. */
  schema(apiVersion: string): Schema | undefined;
  /** An object of one version as another shows it; must take unfinished objects too. @default as it is: versions have the same fields */
  convert?(object: JsonObject, from: string, to: string): JsonObject;
}

/** An object in one of the kind's versions. */
export interface VersionedObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
}

/** The same object in another version; itself where versions have the same fields. */
export function inVersion(
  { object, apiVersion: from }: VersionedObject,
  apiVersion: string,
  versions: KindVersions | undefined,
): VersionedObject {
  return from === apiVersion
    ? { object, apiVersion }
    : { object: versions?.convert?.(object, from, apiVersion) ?? object, apiVersion };
}

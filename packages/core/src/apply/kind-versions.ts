import type { JsonObject } from "../json/index.js";
import type { Schema } from "../schema/index.js";

/** The versions of a kind. A manager owns fields in the version that it wrote. */
export interface KindVersions {
  /** The schema of a version; undefined if the version does not exist. */
  schema(apiVersion: string): Schema | undefined;
  /** Converts an object, which may be incomplete. @default no conversion: all versions have the same fields */
  convert?(object: JsonObject, from: string, to: string): JsonObject;
}

/** An object and its version. */
export interface VersionedObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
}

/** Converts an object to another version. */
export function inVersion(
  { object, apiVersion: from }: VersionedObject,
  apiVersion: string,
  versions: KindVersions | undefined,
): VersionedObject {
  return from === apiVersion
    ? { object, apiVersion }
    : { object: versions?.convert?.(object, from, apiVersion) ?? object, apiVersion };
}

import type { KindVersions } from "@kubewright/core/apply";
import type { JsonObject } from "@kubewright/core/json";
import type { Eventually } from "./eventually.js";
import type { Resource } from "./resource.js";

/**
 * Computes managedFields, which managers of several versions own.
 *
 * Where a webhook converts the kind, `compute` stops at the first conversion that is not known, and starts again once it is. It must be
 * free of side effects until its last conversion.
 */
export function withConversions<T>(resource: Resource, compute: (versions: KindVersions) => T): Eventually<T> {
  const { convert, versions } = resource;
  if (!convert) return compute(versions);
  const known = new Map<string, JsonObject>();
  const find = (object: JsonObject, apiVersion: string): JsonObject => {
    const key = `${apiVersion} ${JSON.stringify(object)}`;
    const found = known.get(key);
    if (found === undefined) throw new MissingConversion(object, apiVersion, key);
    return found;
  };
  const attempt = (): Eventually<T> => {
    try {
      return compute({ ...versions, convert: (object, _, apiVersion) => find(object, apiVersion) });
    } catch (error) {
      if (!(error instanceof MissingConversion)) throw error;
      return convert(error.object, error.apiVersion).then((made) => {
        known.set(error.key, made);
        return attempt();
      });
    }
  };
  return attempt();
}

/** Stops a computation that needs a conversion. It never leaves this file. */
class MissingConversion extends Error {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly key: string;

  constructor(object: JsonObject, apiVersion: string, key: string) {
    super(`An object must be converted to ${apiVersion} first`);
    this.object = object;
    this.apiVersion = apiVersion;
    this.key = key;
  }
}

import type { KindVersions } from "@kubewright/core/apply";
import { type JsonObject, stringifyJson } from "@kubewright/core/json";
import type { Eventually } from "./eventually.js";
import type { Resource } from "./resource.js";

/**
 * Computes managedFields whose entries may have several versions.
 *
 * With a conversion webhook, `compute` stops at the first conversion that is not cached, and restarts once the webhook has responded. It
 * must be free of side effects until its last conversion.
 */
export function withConversions<T>(resource: Resource, compute: (versions: KindVersions) => T): Eventually<T> {
  const { convert, versions } = resource;
  if (!convert) return compute(versions);
  const known = new Map<string, JsonObject>();
  const find = (object: JsonObject, apiVersion: string): JsonObject => {
    const key = `${apiVersion} ${stringifyJson(object)}`;
    const found = known.get(key);
    if (found === undefined) throw new MissingConversion(object, apiVersion, key);
    return found;
  };
  const attempt = (): Eventually<T> => {
    try {
      return compute({ ...versions, convert: (object, _, apiVersion) => find(object, apiVersion) });
    } catch (error) {
      if (!(error instanceof MissingConversion)) throw error;
      return convert(error.object, error.apiVersion).then((converted) => {
        known.set(error.key, converted);
        return attempt();
      });
    }
  };
  return attempt();
}

/** Stops a computation that needs a conversion. It is caught in this file. */
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

import { formatApiVersion } from "@kubewright/core/identity";
import type { AnyKind } from "../definition/index.js";

const known = new WeakMap<AnyKind, string>();

/** The `apiVersion` of a kind's objects, such as `apps/v1`. Made once: it is compared with that of each object that is sent or arrives. */
export function apiVersionOf(kind: AnyKind): string {
  let apiVersion = known.get(kind);
  if (apiVersion === undefined) {
    apiVersion = formatApiVersion(kind.group, kind.version);
    known.set(kind, apiVersion);
  }
  return apiVersion;
}

import { parseApiVersion } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import type { Target } from "./request.js";

/**
 * Returns a watch mapping to every owner of a kind, controller or not; `owns` follows the controller only.
 *
 * Matches ownerReferences by group and kind, in any version.
 *
 * @example
 * watch(ConfigMap, { to: ownersOf(Website) });
 */
export function ownersOf(kind: AnyKind): (object: object) => readonly Target[] {
  return (object) => {
    const { ownerReferences = [], namespace = "" } = objectMeta(object);
    const owners = ownerReferences.filter(
      (owner) => owner.kind === kind.kind && parseApiVersion(owner.apiVersion)?.group === kind.group,
    );
    return owners.map(({ name }) => ({ name, namespace: kind.scope === "Cluster" ? "" : namespace }));
  };
}

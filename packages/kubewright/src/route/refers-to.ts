import type { CacheLookup, Indexed, Selected } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import type { Target } from "./request.js";

/**
 * Returns a watch mapping to the objects of a kind that refer to the changed object by name: those that have its name under the index. The watch
 * declares the index in `reads`.
 *
 * An index value `name` means an object of the same namespace, or a cluster-scoped one; `namespace/name` means an object of that namespace.
 *
 * @example
 * const routes = select(Route, { indexes: { secret: ({ spec }) => spec.tls?.secretName } });
 * controller(Route, { watches: [watch(Secret, { reads: [routes], to: refersTo(Route, "secret") })], reconcile });
 */
export function refersTo<K extends AnyKind, const Index extends string>(
  kind: K | Selected<K, Index>,
  index: Index,
): (object: object, cached: CacheLookup<K | Indexed<K, Index>>) => readonly Target[] {
  const referring: AnyKind = "role" in kind ? kind.kind : kind;
  return (object, lookup) => {
    // The types have checked that the kind and the index are declared.
    const cached = lookup as unknown as CacheLookup<AnyKind | Indexed<AnyKind, string>>;
    const { namespace = "", name } = objectMeta(object);
    const under = (value: string, where: { readonly namespace?: string }): readonly Target[] =>
      cached.list(referring, { ...where, index: { [index]: value } }).map(targetOf);
    if (namespace === "") return under(name, {});
    const qualified = under(`${namespace}/${name}`, {});
    return referring.scope === "Cluster" ? qualified : [...under(name, { namespace }), ...qualified];
  };
}

function targetOf(object: object): Target {
  const { namespace = "", name } = objectMeta(object);
  return namespace === "" ? name : { namespace, name };
}

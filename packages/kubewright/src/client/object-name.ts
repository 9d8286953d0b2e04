import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import type { AnyKind, ScopeOf } from "../definition/index.js";

/**
 * Names one object of a kind: `"x"` in the default namespace, or `{ namespace, name }`.
 *
 * An object that was read fits too, by its `metadata`. Cluster-scoped kinds take no namespace.
 */
export type NameOf<K extends AnyKind> =
  | string
  | (ScopeOf<K> extends "Cluster"
      ? { readonly name: string; readonly namespace?: never }
      : { readonly name: string; readonly namespace?: string });

/** The key that a name means. Throws when it is empty, has a slash, or gives a namespace to a cluster-scoped kind. */
export function resolveName(
  kind: AnyKind,
  name: string | { readonly name: string; readonly namespace?: string | undefined },
  defaultNamespace: string,
): ObjectKey {
  const text = typeof name === "string" ? name : name.name;
  const namespace = typeof name === "string" ? undefined : name.namespace;
  checkSegment(kind, "name", text);
  if (kind.scope === "Cluster") {
    if (namespace !== undefined && namespace !== "") {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot address ${kind.kind} "${namespace}/${text}": the kind is cluster-scoped, its objects have no namespace`,
      );
    }
    return { namespace: "", name: text };
  }
  const inNamespace = namespace ?? defaultNamespace;
  checkNamespace(kind, inNamespace);
  return { namespace: inNamespace, name: text };
}

let lastNamespace: string | undefined;

function checkNamespace(kind: AnyKind, namespace: string): void {
  // Mostly it is the same as before.
  if (namespace === lastNamespace) return;
  checkSegment(kind, "namespace", namespace);
  lastNamespace = namespace;
}

/** A name becomes a segment of a path: with a slash in it, or as "..", it would address something else. */
function checkSegment(kind: AnyKind, what: string, text: string): void {
  if (typeof text === "string" && text !== "" && text !== "." && text !== "..")
    if (!text.includes("/") && !text.includes("%")) return;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot address ${kind.kind} by ${what} "${text}": it is not a valid ${what}`,
  );
}

/** A key as a name: one that was resolved before fits its kind, whichever that is. */
export function nameOfKey<K extends AnyKind>(key: ObjectKey): NameOf<K> {
  return key as unknown as NameOf<K>;
}

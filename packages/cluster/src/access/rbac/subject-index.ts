import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { RoleRef } from "../authorizer.js";
import { serviceAccountName, type User } from "../user.js";

/** A RoleBinding or ClusterRoleBinding. */
export interface Binding {
  readonly kind: "RoleBinding" | "ClusterRoleBinding";
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** One subject of a binding. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** A binding that applies to a user, with the first of its subjects that does. */
export interface AppliedBinding {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** The bindings of a cluster, indexed by their subjects: what applies to a user is found without reading all bindings. */
export class SubjectIndex {
  readonly #bindings = new Map<string, Binding>();
  /** The ids of bindings by subject. */
  readonly #bySubject = new Map<string, Set<string>>();

  /** Adds a binding, or replaces the one with the same id. */
  put(id: string, binding: Binding): void {
    this.delete(id);
    this.#bindings.set(id, binding);
    for (const key of keysOfSubjects(binding)) {
      const ids = this.#bySubject.get(key);
      if (ids) ids.add(id);
      else this.#bySubject.set(key, new Set([id]));
    }
  }

  delete(id: string): void {
    const binding = this.#bindings.get(id);
    if (binding === undefined) return;
    this.#bindings.delete(id);
    for (const key of keysOfSubjects(binding)) {
      const ids = this.#bySubject.get(key);
      ids?.delete(id);
      if (ids?.size === 0) this.#bySubject.delete(key);
    }
  }

  /** The bindings that apply to a user, sorted by id. */
  bindingsOf(user: User): readonly AppliedBinding[] {
    const keys = new Set([userKey(user.name), ...user.groups.map(groupKey)]);
    const ids = new Set<string>();
    for (const key of keys) for (const id of this.#bySubject.get(key) ?? []) ids.add(id);
    return [...ids].sort().flatMap((id) => {
      const binding = this.#bindings.get(id);
      const subject = binding?.subjects.find((one) => keys.has(keyOf(one, binding.namespace) ?? ""));
      return binding && subject ? [{ binding, subject }] : [];
    });
  }
}

/** Reads a stored RoleBinding or ClusterRoleBinding. */
export function bindingOf(kind: Binding["kind"], object: JsonObject): Binding {
  const { metadata, roleRef, subjects } = object;
  const meta = isJsonObject(metadata) ? metadata : {};
  const ref = isJsonObject(roleRef) ? roleRef : {};
  return {
    kind,
    namespace: text(meta["namespace"]),
    name: text(meta["name"]),
    roleRef: { kind: text(ref["kind"]), name: text(ref["name"]) },
    subjects: (Array.isArray(subjects) ? subjects.filter(isJsonObject) : []).map((subject) => ({
      kind: text(subject["kind"]),
      name: text(subject["name"]),
      namespace: text(subject["namespace"]),
    })),
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function keysOfSubjects({ subjects, namespace }: Binding): readonly string[] {
  return subjects.flatMap((subject) => keyOf(subject, namespace) ?? []);
}

/** A ServiceAccount without a namespace is one of the binding's namespace. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === "User") return userKey(name);
  if (kind === "Group") return groupKey(name);
  const inNamespace = namespace === "" ? bindingNamespace : namespace;
  return kind === "ServiceAccount" && inNamespace !== "" ? userKey(serviceAccountName(inNamespace, name)) : undefined;
}

function userKey(name: string): string {
  return `User ${name}`;
}

function groupKey(name: string): string {
  return `Group ${name}`;
}

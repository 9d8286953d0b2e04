import type { AnyKind } from "../definition/index.js";

/** What a controller can be allowed to do with a kind that it does not own. */
export type MayVerb = "get" | "list" | "create" | "patch" | "delete";

/** A kind that is read from the server each time. */
export interface Live<K extends AnyKind> {
  readonly role: "live";
  readonly kind: K;
}

/** Single verbs on a kind. */
export interface May<K extends AnyKind, V extends MayVerb> {
  readonly role: "may";
  readonly kind: K;
  readonly verbs: readonly V[];
}

/** What can stand in `uses`. */
export type AnyUse = AnyKind | Live<AnyKind> | May<AnyKind, MayVerb>;

/** Reads objects of `kind` from the server each time, instead of keeping a copy of all of them. Needs the right to `get` only. */
export function live<K extends AnyKind>(kind: K): Live<K> {
  return { role: "live", kind };
}

/** Allows single verbs on a kind, beside what else is declared for it. Reads that are allowed so ask the server each time. */
export function may<K extends AnyKind, const V extends MayVerb>(kind: K, ...verbs: readonly V[]): May<K, V> {
  return { role: "may", kind, verbs };
}

/** A use with its verbs spelled out: what permissions are derived from. */
export interface Use {
  readonly kind: AnyKind;
  /** Whether a copy of all objects is kept, by list and watch. */
  readonly cached: boolean;
  readonly verbs: readonly (MayVerb | "watch")[];
}

/** Spells a use out. */
export function spellOut(use: AnyUse): Use {
  if (!("role" in use)) return { kind: use, cached: true, verbs: ["get", "list", "watch"] };
  if (use.role === "live") return { kind: use.kind, cached: false, verbs: ["get"] };
  return { kind: use.kind, cached: false, verbs: use.verbs };
}

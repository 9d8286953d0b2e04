import { everything, type IndexBy, Selection, type SelectOptions } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { AnyWatch } from "../route/index.js";

/**
 * What a controller can be allowed to do with a kind that it does not own. `patchStatus` writes the status of other objects than the one
 * that is reconciled; `evict` and `bind` are actions of Pods.
 */
export type MayVerb = "get" | "list" | "create" | "patch" | "delete" | "patchStatus" | "evict" | "bind";

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

/** A kind of which a selection is cached, with its indexes. */
export interface Selected<K extends AnyKind, Index extends string = string> {
  readonly role: "select";
  readonly kind: K;
  readonly selection: Selection;
  readonly indexes: Readonly<Record<Index, IndexBy<AnyKind>>>;
}

/** What can stand in `uses`. */
export type AnyUse = AnyKind | Live<AnyKind> | May<AnyKind, MayVerb> | Selected<AnyKind>;

/** What is selected, and its indexes. */
export interface IndexedSelectOptions<K extends AnyKind, Index extends string> extends SelectOptions<K> {
  /** Index functions by name; finds objects without a scan: `list(Pod, { index: { node: "a" } })`. */
  readonly indexes?: Readonly<Record<Index, IndexBy<K>>>;
}

/**
 * Caches only some objects of a kind, or a part of each: reads see nothing else. `indexes` find them without a scan.
 *
 * @example
 * uses: [select(Secret, { labels: { app: "website" }, transform: ({ data: _, ...rest }) => rest })]
 *
 * @example
 * uses: [select(Pod, { indexes: { node: ({ spec }) => spec?.nodeName } })]
 */
export function select<K extends AnyKind, const Index extends string = never>(
  kind: K,
  options: IndexedSelectOptions<K, Index>,
): Selected<K, Index> {
  const indexes = (options.indexes ?? {}) as unknown as Record<Index, IndexBy<AnyKind>>;
  return { role: "select", kind, selection: new Selection(options as SelectOptions<AnyKind>, indexes), indexes };
}

/**
 * Reads objects of `kind` from the server each time, instead of caching all of them. The Role gets the verb `get` only; `list` does not compile.
 *
 * @example
 * controller(Website, { uses: [live(Secret)], reconcile: async ({ find }) => void (await find(Secret, "token")) });
 */
export function live<K extends AnyKind>(kind: K): Live<K> {
  return { role: "live", kind };
}

/**
 * Allows single verbs on a kind, beside what else is declared for it. Reads that are allowed this way are not cached.
 *
 * @example
 * controller(Drain, { uses: [Node, may(Pod, "evict", "delete")], reconcile });
 */
export function may<K extends AnyKind, const V extends MayVerb>(kind: K, ...verbs: readonly V[]): May<K, V> {
  return { role: "may", kind, verbs };
}

/** A use with its verbs: what permissions are derived from. */
export interface Use {
  readonly kind: AnyKind;
  /** Whether it is cached by list and watch. */
  readonly cached: boolean;
  readonly verbs: readonly (MayVerb | "watch")[];
  /** Which objects are cached. */
  readonly selection: Selection;
}

/** The uses of a controller: what it declares, and what its watch mappings read beside that. */
export function usesOf(uses: readonly AnyUse[], watches: readonly AnyWatch[], cached: readonly AnyKind[]): Use[] {
  const all = uses.map(spellOut);
  const known = new Set(
    [...cached, ...all.filter((use) => use.cached).map(({ kind }) => kind), ...watches.map(({ kind }) => kind)].map(
      ({ id }) => id,
    ),
  );
  for (const kind of watches.flatMap(({ reads }) => reads)) {
    if (known.has(kind.id)) continue;
    known.add(kind.id);
    all.push(spellOut(kind));
  }
  return all;
}

/** Resolves a use to its verbs and selection. */
function spellOut(use: AnyUse): Use {
  const copy = { cached: true, verbs: ["get", "list", "watch"] } as const;
  if (!("role" in use)) return { kind: use, ...copy, selection: everything };
  if (use.role === "select") return { kind: use.kind, ...copy, selection: use.selection };
  const verbs = use.role === "live" ? (["get"] as const) : use.verbs;
  return { kind: use.kind, cached: false, verbs, selection: everything };
}

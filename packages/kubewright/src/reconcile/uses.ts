import { everything, type Selected, type Selection } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { AnyWatch } from "../route/index.js";

/**
 * What a controller can be allowed to do with a kind that it does not own. `patchStatus` writes the status of other objects than the one
 * that is reconciled; `evict`, `log` and `exec` are subresources of Pods, `token` one of ServiceAccounts, `scale` one of workloads. `bind` binds Pods; on
 * Roles and ClusterRoles, `bind` and `escalate` are the RBAC verbs that allow to reference and to write more than the operator's own permissions.
 */
export type MayVerb =
  | "get"
  | "list"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "patchStatus"
  | "evict"
  | "bind"
  | "escalate"
  | "scale"
  | "log"
  | "exec"
  | "token";

/** A kind that is read from the server each time. */
export interface Live<K extends AnyKind> {
  readonly role: "live";
  readonly kind: K;
  /** Whether it is accepted that a change of what was read triggers nothing. */
  readonly unwatched: boolean;
}

/** Single verbs on a kind. */
export interface May<K extends AnyKind, V extends MayVerb> {
  readonly role: "may";
  readonly kind: K;
  readonly verbs: readonly V[];
}

/** A cached kind whose reads trigger nothing. */
export interface Untracked<U extends AnyKind | Selected<AnyKind>> {
  readonly role: "untracked";
  readonly use: U;
}

/** What can stand in `uses`. */
export type AnyUse =
  | AnyKind
  | Live<AnyKind>
  | May<AnyKind, MayVerb>
  | Selected<AnyKind>
  | Untracked<AnyKind | Selected<AnyKind>>;

/**
 * Reads objects of `kind` from the server each time, instead of caching all of them. The Role gets the verb `get` only; `list` does not compile.
 *
 * A change of what was read triggers no run. Tests report that, unless the kind is watched, the run is repeated (`requeueAfter`, `every`), or
 * `unwatched` accepts it.
 *
 * @example
 * controller(Website, { uses: [live(Secret)], reconcile: async ({ find }) => void (await find(Secret, "token")) });
 */
export function live<K extends AnyKind>(
  kind: K,
  options: {
    /** Accepts that changes trigger nothing, so that tests do not report it. @default false */
    readonly unwatched?: boolean;
  } = {},
): Live<K> {
  return { role: "live", kind, unwatched: options.unwatched ?? false };
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

/**
 * Caches a kind without tracking reads: a change of what a run has read triggers nothing. For kinds whose changes a watch maps, or that are only
 * looked up. Also for an owned kind, or the controller's own.
 *
 * @example
 * controller(Website, { uses: [untracked(Node)], reconcile: async ({ list }) => void (await list(Node)) });
 */
export function untracked<U extends AnyKind | Selected<AnyKind>>(use: U): Untracked<U> {
  return { role: "untracked", use };
}

/** A use with its verbs: what permissions are derived from. */
export interface Use {
  readonly kind: AnyKind;
  /** Whether it is cached by list and watch. */
  readonly cached: boolean;
  /** Whether a change of what a run has read of it triggers a run: "opted out" wins over other uses of the kind. */
  readonly tracked: boolean | "opted out";
  readonly verbs: readonly (MayVerb | "watch")[];
  /** Which objects are cached. */
  readonly selection: Selection;
  /** Whether live reads of it without a trigger are accepted. */
  readonly unwatched: boolean;
}

/** The uses of a controller: what it declares, and what its watch mappings read beside that. */
export function usesOf(uses: readonly AnyUse[], watches: readonly AnyWatch[], cached: readonly AnyKind[]): Use[] {
  const all = uses.map(spellOut);
  const known = new Set(
    [...cached, ...all.filter((use) => use.cached).map(({ kind }) => kind), ...watches.map(({ kind }) => kind)].map(
      ({ id }) => id,
    ),
  );
  for (const read of watches.flatMap(({ reads }) => reads)) {
    // A selection is needed for its indexes, beside what else is cached of the kind.
    if (!("role" in read) && known.has(read.id)) continue;
    const use = { ...spellOut(read), tracked: false } as const;
    known.add(use.kind.id);
    all.push(use);
  }
  return all;
}

/** Resolves a use to its verbs and selection. */
function spellOut(use: AnyUse): Use {
  const copy = { cached: true, tracked: true, verbs: ["get", "list", "watch"], unwatched: false } as const;
  if (!("role" in use)) return { kind: use, ...copy, selection: everything };
  switch (use.role) {
    case "select":
      return { kind: use.kind, ...copy, selection: use.selection };
    case "untracked":
      return { ...spellOut(use.use), tracked: "opted out" };
    case "live":
    case "may": {
      const verbs = use.role === "live" ? (["get"] as const) : use.verbs;
      const unwatched = use.role === "live" && use.unwatched;
      return { kind: use.kind, cached: false, tracked: false, verbs, selection: everything, unwatched };
    }
    default:
      return use satisfies never;
  }
}

import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";
import type { CacheReader } from "./cached-kinds.js";
import type { MayVerb } from "./uses.js";

/**
 * Checks at run time what a controller or a webhook declared, for callers that the compiler does not check: plain JavaScript and dynamic kinds.
 */
export class Access {
  readonly #name: string;
  readonly #what: "controller" | "webhook";
  readonly #owned: ReadonlySet<string>;
  /** Kinds whose reads come from the cache. */
  readonly #cached: ReadonlySet<string>;
  readonly #allowed = new Map<string, Set<string>>();

  constructor(controller: CacheReader, what: "controller" | "webhook" = "controller") {
    this.#name = controller.name;
    this.#what = what;
    const { uses, watches } = controller;
    const owns = controller.children.map(kindOf);
    this.#owned = new Set(owns.map(({ id }) => id));
    const own = controller.kind === undefined ? [] : [controller.kind];
    const copied = [
      ...own,
      ...owns,
      ...uses.filter(({ cached }) => cached).map(({ kind }) => kind),
      ...watches.map(kindOf),
    ];
    // A kind that is declared live is read live, even where it is also watched.
    const live = new Set(
      uses.filter(({ cached, verbs }) => !cached && verbs.includes("get")).map(({ kind }) => kind.id),
    );
    this.#cached = new Set(copied.map(({ id }) => id).filter((id) => !live.has(id)));
    for (const { id } of copied) this.#allow(id, ["get", "list"]);
    for (const { id } of owns) this.#allow(id, ofChildren);
    for (const { kind, verbs } of uses) this.#allow(kind.id, verbs);
  }

  owns(kind: AnyKind): boolean {
    return this.#owned.has(kind.id);
  }

  /** Whether reads of this kind come from the cache. */
  isCached(kind: AnyKind): boolean {
    return this.#cached.has(kind.id);
  }

  /** Throws unless the kind is owned. */
  mustOwn(verb: string, kind: AnyKind): void {
    if (!this.owns(kind)) throw this.#undeclared(verb, kind, "`owns` or `manages`");
  }

  /** Throws unless the kind is owned, or the verb is allowed on it. */
  mustAllow(verb: MayVerb, kind: AnyKind): void {
    if (this.#allowed.get(kind.id)?.has(verb) === true) return;
    throw this.#undeclared(verb, kind, this.#what === "webhook" ? "`uses`" : "`owns`, `uses` or `watches`");
  }

  #allow(id: string, verbs: readonly string[]): void {
    const allowed = this.#allowed.get(id) ?? new Set<string>();
    for (const verb of verbs) allowed.add(verb);
    this.#allowed.set(id, allowed);
  }

  #undeclared(verb: string, kind: AnyKind, where: string): OperatorError {
    return new OperatorError(
      "CONFIG_INVALID",
      `Cannot ${verb} ${kind.kind} objects in ${this.#what} "${this.#name}": declare ${kind.id} in ${where}`,
    );
  }
}

/** The verbs that come with owning a kind. The child's status belongs to its own controller or kubelet. */
const ofChildren: readonly MayVerb[] = ["get", "list", "create", "patch", "delete"];

function kindOf({ kind }: { readonly kind: AnyKind }): AnyKind {
  return kind;
}

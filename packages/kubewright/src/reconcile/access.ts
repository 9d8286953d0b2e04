import { OperatorError } from "@kubewright/core/errors";
import type { AnyKind } from "../definition/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { MayVerb } from "./uses.js";

/**
 * What a controller declared, asked at run time. The compiler has refused everything else before; this is for callers
 * that it does not see.
 */
export class Access {
  readonly #controller: AnyController;
  readonly #owned: ReadonlySet<string>;
  readonly #cached: ReadonlySet<string>;

  constructor(controller: AnyController) {
    this.#controller = controller;
    this.#owned = new Set(controller.owns.map(({ id }) => id));
    this.#cached = new Set([
      ...this.#owned,
      ...controller.uses.filter(({ cached }) => cached).map(({ kind }) => kind.id),
      ...controller.watches.map(({ kind }) => kind.id),
    ]);
  }

  owns(kind: AnyKind): boolean {
    return this.#owned.has(kind.id);
  }

  /** Whether reads of this kind come from the cache. A kind that is declared live is read live, also where it is watched too. */
  isCached(kind: AnyKind): boolean {
    const live = this.#controller.uses.some(
      (use) => use.kind.id === kind.id && !use.cached && use.verbs.includes("get"),
    );
    return this.#cached.has(kind.id) && !live;
  }

  /** Throws unless the kind is owned. */
  mustOwn(verb: string, kind: AnyKind): void {
    if (!this.owns(kind)) throw this.#undeclared(verb, kind, "`owns`");
  }

  /** Throws unless the kind is owned, or the verb is allowed on it. */
  mustAllow(verb: MayVerb, kind: AnyKind): void {
    if ((this.owns(kind) && isOfChildren(verb)) || ((verb === "get" || verb === "list") && this.#cached.has(kind.id)))
      return;
    if (this.#controller.uses.some((use) => use.kind.id === kind.id && use.verbs.includes(verb))) return;
    throw this.#undeclared(verb, kind, "`owns`, `uses` or `watches`");
  }

  #undeclared(verb: string, kind: AnyKind, where: string): OperatorError {
    const { name } = this.#controller;
    return new OperatorError(
      "CONFIG_INVALID",
      `Cannot ${verb} ${kind.kind} objects in controller "${name}": declare ${kind.id} in ${where}`,
    );
  }
}

/** Whether a verb comes with owning a kind. Status is for whoever runs the child: another controller, or a node. */
function isOfChildren(verb: MayVerb): boolean {
  return verb !== "patchStatus" && verb !== "evict" && verb !== "bind";
}

import type { StageListener } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { Outcome } from "./outcome.js";

/**
 * Finds reads that can go stale: a run reads a kind from the server, and nothing triggers a run when it changes. Reports each kind once, as stage 5 with
 * `what` "stale read".
 *
 * Not reported: kinds that are watched or declared `live(kind, { unwatched: true })`, runs that are repeated by `requeueAfter` or by their failure, and
 * controllers with a periodic or external source.
 */
export class StaleReads {
  readonly #controller: AnyController;
  readonly #onStage: StageListener;
  /** Kinds that need no report, or have had theirs. */
  readonly #done: Set<string>;
  readonly #byKey = new Map<string, Set<AnyKind>>();

  constructor(controller: AnyController, onStage: StageListener) {
    this.#controller = controller;
    this.#onStage = onStage;
    const { owns, uses, watches } = controller;
    const declared = [
      ...owns,
      ...uses.filter((use) => use.unwatched).map(({ kind }) => kind),
      ...watches.map(({ kind }) => kind),
    ];
    this.#done = new Set(declared.map(({ id }) => id));
  }

  /** The run of a key reads a kind from the server. */
  read(key: string, kind: AnyKind): void {
    if (this.#done.has(kind.id) || this.#controller.sources.length > 0) return;
    const read = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, read.add(kind));
  }

  /** The run of a key has ended. */
  settle(key: string, outcome: Outcome): void {
    const read = this.#byKey.get(key);
    if (read === undefined) return;
    this.#byKey.delete(key);
    if (outcome.kind !== "done" && outcome.kind !== "terminal") return;
    const { name, kind } = this.#controller;
    for (const { id } of read) {
      if (this.#done.has(id)) continue;
      this.#done.add(id);
      this.#onStage("reconcile", { kind: kind?.id ?? "", key, what: "stale read", controller: name, read: id });
    }
  }
}

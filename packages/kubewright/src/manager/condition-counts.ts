import { isJsonObject } from "@kubewright/core/json";
import type { Change, HandlerRegistration, InformerSet, Selection } from "../cache/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ConditionGauge } from "../metrics/index.js";
import type { AnyController } from "../reconcile/index.js";

/** More reasons per operator are a defect of a controller, and would fill Prometheus. */
const maxSeries = 1_000;

interface Followed {
  readonly kind: AnyKind;
  readonly selection: Selection;
  readonly controllers: Set<string>;
  /** By type, status and reason. */
  readonly counts: Map<string, number>;
  registration?: HandlerRegistration;
}

/** Counts the conditions of the reconciled objects as they change, so that a scrape reads no object. */
export class ConditionCounts {
  readonly #informers: InformerSet;
  readonly #followed = new Map<string, Followed>();

  constructor(informers: InformerSet) {
    this.#informers = informers;
  }

  /** Counts the objects that a controller reconciles, each object once: selections of several controllers may overlap. */
  follow(controller: AnyController): void {
    if (controller.role === "raw") return;
    const { kind, selection, name } = controller;
    const id = `${kind.id} ${selection.id}`;
    const known = this.#followed.get(id);
    if (known !== undefined) {
      known.controllers.add(name);
      return;
    }
    const followed: Followed = { kind, selection, controllers: new Set([name]), counts: new Map() };
    this.#count(followed);
    this.#followed.set(id, followed);
  }

  /** The controller was removed. */
  forget(controller: string): void {
    for (const [id, { kind, controllers, registration }] of [...this.#followed]) {
      if (!controllers.delete(controller) || controllers.size > 0) continue;
      registration?.remove();
      this.#followed.delete(id);
      this.#countAgain(kind);
    }
  }

  /** The selections of a kind: an object counts for the first one that includes it. */
  #countAgain(kind: AnyKind): void {
    const left = [...this.#followed].filter(([, followed]) => followed.kind.id === kind.id);
    for (const [id, followed] of left) {
      followed.registration?.remove();
      followed.counts.clear();
      this.#followed.delete(id);
    }
    for (const [id, followed] of left) {
      this.#count(followed);
      this.#followed.set(id, followed);
    }
  }

  #count(followed: Followed): void {
    const { kind, selection, counts } = followed;
    const earlier = [...this.#followed.values()]
      .filter((other) => other.kind.id === kind.id)
      .map((other) => other.selection);
    // A pure function of the state, so that what was added for a state is subtracted for it, whichever informer is ahead.
    const isOwn = (object: ReadOf<AnyKind>): boolean => !earlier.some((other) => other.shows(object) === true);
    followed.registration = this.#informers
      .informer(kind, selection)
      .addHandler((change) => count(change, counts, isOwn));
  }

  /** At most 1,000 of them. */
  gauges(): ConditionGauge[] {
    const gauges: ConditionGauge[] = [];
    for (const { kind, counts } of this.#followed.values()) {
      for (const [state, objects] of counts) {
        const [type = "", status = "", reason = ""] = state.split(separator);
        if (gauges.length < maxSeries) gauges.push({ kind: kind.id, type, status, reason, objects });
      }
    }
    return gauges;
  }
}

/** In no type, status or reason. */
const separator = "\n";

function count(
  change: Change<AnyKind>,
  counts: Map<string, number>,
  isOwn: (object: ReadOf<AnyKind>) => boolean,
): void {
  if (change.old === change.new) return;
  const statesOf = (object: ReadOf<AnyKind> | undefined): readonly string[] =>
    object !== undefined && isOwn(object) ? statesIn(object) : [];
  for (const state of statesOf(change.old)) {
    const left = (counts.get(state) ?? 0) - 1;
    if (left > 0) counts.set(state, left);
    else counts.delete(state);
  }
  for (const state of statesOf(change.new)) counts.set(state, (counts.get(state) ?? 0) + 1);
}

function statesIn(object: object): readonly string[] {
  const { status } = object as { readonly status?: unknown };
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isJsonObject).map(({ type, status: state, reason }) => {
    return [type, state, reason].map((part) => (typeof part === "string" ? part : "")).join(separator);
  });
}

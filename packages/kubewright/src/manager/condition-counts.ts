import { isJsonObject } from "@kubewright/core/json";
import type { Change, HandlerRegistration, InformerSet } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import type { ConditionGauge } from "../metrics/index.js";
import type { AnyController } from "../reconcile/index.js";

/** More reasons per operator are a defect of a controller, and would fill Prometheus. */
const maxSeries = 1_000;

interface Followed {
  readonly kind: AnyKind;
  readonly controllers: Set<string>;
  readonly registration: HandlerRegistration;
  /** By type, status and reason. */
  readonly counts: Map<string, number>;
}

/** Counts the conditions of the reconciled objects as they change, so that a scrape reads no object. */
export class ConditionCounts {
  readonly #informers: InformerSet;
  readonly #followed = new Map<string, Followed>();

  constructor(informers: InformerSet) {
    this.#informers = informers;
  }

  /** Counts the objects that a controller reconciles, each kind and selection once. */
  follow(controller: AnyController): void {
    if (controller.role === "raw") return;
    const { kind, selection, name } = controller;
    const id = `${kind.id} ${selection.id}`;
    const known = this.#followed.get(id);
    if (known !== undefined) {
      known.controllers.add(name);
      return;
    }
    const counts = new Map<string, number>();
    const registration = this.#informers.informer(kind, selection).addHandler((change) => count(change, counts));
    this.#followed.set(id, { kind, controllers: new Set([name]), registration, counts });
  }

  /** The controller was removed. */
  forget(controller: string): void {
    for (const [id, { controllers, registration }] of this.#followed) {
      if (!controllers.delete(controller) || controllers.size > 0) continue;
      registration.remove();
      this.#followed.delete(id);
    }
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

function count(change: Change<AnyKind>, counts: Map<string, number>): void {
  if (change.old === change.new) return;
  for (const state of statesOf(change.old)) {
    const left = (counts.get(state) ?? 0) - 1;
    if (left > 0) counts.set(state, left);
    else counts.delete(state);
  }
  for (const state of statesOf(change.new)) counts.set(state, (counts.get(state) ?? 0) + 1);
}

function statesOf(object: object | undefined): readonly string[] {
  const { status } = (object ?? {}) as { readonly status?: unknown };
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isJsonObject).map(({ type, status: state, reason }) => {
    return [type, state, reason].map((part) => (typeof part === "string" ? part : "")).join(separator);
  });
}

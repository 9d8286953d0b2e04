import type { AnyController, AroundRun, Outcome, RunDescription } from "../reconcile/index.js";
import type { OperatorTracing, TracedResult } from "../tracing/index.js";

/** Records a span for each run of a controller: key, causes and outcome. */
export function spansOf({ kind }: AnyController, tracing: OperatorTracing): AroundRun {
  return (run, execute) => {
    const work = {
      name: `Reconcile ${run.controller}`,
      kind: "internal" as const,
      attributes: attributesOf(kind?.id ?? "", run),
    };
    return tracing.within(work, execute, resultOf);
  };
}

function attributesOf(kind: string, { controller, key, reconcileId, causes }: RunDescription) {
  const [namespace = "", name] = key.includes("/") ? key.split("/") : ["", key];
  return {
    "kubewright.controller": controller,
    "kubewright.kind": kind,
    "kubewright.name": name ?? key,
    "k8s.namespace.name": namespace,
    "kubewright.reconcile_id": reconcileId,
    "kubewright.causes": causes.map((cause) =>
      "change" in cause ? `${cause.source} ${cause.change} ${cause.kind} ${cause.name}` : cause.source,
    ),
  };
}

function resultOf(outcome: Outcome): TracedResult {
  const attributes = { "kubewright.outcome": outcome.kind };
  return outcome.kind === "retry" || outcome.kind === "terminal"
    ? { attributes, error: outcome.error }
    : { attributes };
}

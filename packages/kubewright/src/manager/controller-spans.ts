import type { AnyController, AroundRun, Outcome, Run } from "../reconcile/index.js";
import type { OperatorTracing, TracedResult } from "../tracing/index.js";

/** Records a span for each run of a controller: key, causes and outcome. */
export function spansOf(controller: AnyController, tracing: OperatorTracing): AroundRun {
  return (run, execute) => {
    const work = {
      name: `Reconcile ${controller.name}`,
      kind: "internal" as const,
      attributes: attributesOf(controller, run),
    };
    const traced = (): Promise<Outcome> => {
      run.traceId = tracing.traceId();
      return execute();
    };
    return tracing.within(work, traced, resultOf);
  };
}

function attributesOf(controller: AnyController, { key, reconcileId, causes }: Run<AnyController>) {
  const [namespace = "", name] = key.includes("/") ? key.split("/") : ["", key];
  return {
    "kubewright.controller": controller.name,
    "kubewright.kind": controller.kind?.id ?? "",
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

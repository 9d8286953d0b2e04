import { formatTime } from "@kubewright/core/meta";
import { type LabelSelector, parseLabelSelector } from "@kubewright/core/selector";
import type { Client } from "kubewright";
import { serverMessage } from "../pod/index.js";
import type { ReadAutoscaler, ReadMetricStatus, ReadPod } from "./autoscaler-objects.js";
import type { AutoscalerStatus } from "./autoscaler-status.js";
import { boundedReplicas, longestPeriod, windowSeconds } from "./bounded-replicas.js";
import { messageOf } from "./client-message.js";
import type { MetricApis } from "./metric-apis.js";
import { MetricFailure, type Proposal, proposalOf } from "./metric-proposal.js";
import { type ScaleTarget, scaleTarget } from "./scale-target.js";
import { initialHistory, type ScalingHistory, withChange, withRecommendation } from "./scaling-history.js";
import { tolerancesOf } from "./tolerances.js";

/** State of an HPA between syncs. */
export interface AutoscalerMemory {
  history: ScalingHistory | undefined;
  /** The Pod selector of the last sync. */
  selector: LabelSelector | undefined;
}

/** Dependencies of one HPA sync. */
export interface SyncContext {
  readonly client: Client;
  readonly apis: MetricApis;
  readonly status: AutoscalerStatus;
  readonly memory: AutoscalerMemory;
  readonly nowMs: number;
  readonly event: (type: "Normal" | "Warning", reason: string, note: string) => void;
  /** The Pods of the HPA's namespace that match a selector. */
  readonly pods: (selector: LabelSelector) => Promise<readonly ReadPod[]>;
  /** Names of all HPAs of the namespace whose selector matches one of these Pods. */
  readonly autoscalersOf: (pods: readonly ReadPod[]) => readonly string[];
}

/** Runs one HPA sync: reads target and metrics, scales, and sets status and events. */
export async function syncAutoscaler(autoscaler: ReadAutoscaler, tools: SyncContext): Promise<void> {
  const { client, status, memory, nowMs, event } = tools;
  const { spec, metadata } = autoscaler;
  let target: ScaleTarget;
  try {
    target = await scaleTarget(client, autoscaler);
  } catch (error) {
    const why = messageOf(error);
    event("Warning", "FailedGetScale", why);
    const message = `the HPA controller was unable to get the target's current scale: ${why}`;
    status.setCondition("AbleToScale", "False", { reason: "FailedGetScale", message });
    return;
  }
  status.setCondition("AbleToScale", "True", {
    reason: "SucceededGetScale",
    message: "the HPA controller was able to get the target's current scale",
  });
  const current = target.specReplicas;
  memory.history ??= initialHistory(current, nowMs);
  const min = spec.minReplicas ?? 1;
  status.current = current;
  const plan = await planOf(autoscaler, target, min, tools);
  if (plan === undefined) return;
  status.metrics = plan.metrics;
  if (plan.replicas === current) {
    status.desired = current;
    return;
  }
  const { replicas, reason } = plan;
  try {
    const name = { namespace: metadata.namespace ?? "", name: spec.scaleTargetRef.name };
    await client.scale(target.kind, name, replicas, { fieldManager: "kube-controller-manager" });
  } catch (error) {
    const why = serverMessage(error);
    event("Warning", "FailedRescale", `New size: ${replicas}; reason: ${reason}; error: ${why}`);
    const message = `the HPA controller was unable to update the target scale: ${why}`;
    status.setCondition("AbleToScale", "False", { reason: "FailedUpdateScale", message });
    return;
  }
  status.desired = replicas;
  status.lastScaleTime = formatTime(nowMs);
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  status.setCondition("AbleToScale", "True", { reason: "SucceededRescale", message });
  event("Normal", "SuccessfulRescale", `New size: ${replicas}; reason: ${reason}`);
  const { behavior } = spec;
  if (behavior === undefined) return;
  const rules = replicas > current ? behavior.scaleUp : behavior.scaleDown;
  memory.history = withChange(memory.history, replicas - current, nowMs, longestPeriod(rules));
}

interface Plan {
  readonly replicas: number;
  readonly reason: string;
  readonly metrics: readonly ReadMetricStatus[] | undefined;
}

/** The replica count to scale to, and why. Undefined if it cannot be computed; conditions and events then give the reason. */
async function planOf(
  autoscaler: ReadAutoscaler,
  target: ScaleTarget,
  min: number,
  tools: SyncContext,
): Promise<Plan | undefined> {
  const { status, memory, nowMs, event } = tools;
  const { maxReplicas: max, behavior } = autoscaler.spec;
  const current = target.specReplicas;
  if (current === 0) {
    const message = "scaling is disabled since the replica count of the target is zero";
    status.setCondition("ScalingActive", "False", { reason: "ScalingDisabled", message });
    return { replicas: 0, reason: "", metrics: undefined };
  }
  if (current > max)
    return { replicas: max, reason: "Current number of replicas above Spec.MaxReplicas", metrics: undefined };
  if (current < min)
    return { replicas: min, reason: "Current number of replicas below Spec.MinReplicas", metrics: undefined };
  let best: Recommendation;
  try {
    best = await recommendationOf(autoscaler, target, tools);
  } catch (error) {
    if (!(error instanceof NoRecommendation)) throw error;
    status.metrics = error.metrics;
    event("Warning", "FailedComputeMetricsReplicas", error.message);
    return undefined;
  }
  const desired = best.replicas;
  const history = memory.history ?? initialHistory(current, nowMs);
  const bounded = boundedReplicas(desired, { current, min, max, behavior }, history, nowMs);
  const { up, down } = windowSeconds(behavior);
  memory.history = withRecommendation(history, desired, nowMs, Math.max(up, down));
  status.setCondition("AbleToScale", "True", bounded.stabilized);
  status.setCondition("ScalingLimited", bounded.limited.isLimited ? "True" : "False", bounded.limited);
  const reason = desired > current ? `${best.name} above target` : desired < current ? "All metrics below target" : "";
  return { replicas: bounded.replicas, reason, metrics: best.metrics };
}

/** The highest proposal of all metrics. */
interface Recommendation {
  readonly replicas: number;
  readonly name: string;
  readonly metrics: readonly ReadMetricStatus[];
}

/** No replica count can be computed from the metrics. */
class NoRecommendation extends Error {
  readonly metrics: readonly ReadMetricStatus[] | undefined;

  constructor(message: string, metrics: readonly ReadMetricStatus[] | undefined) {
    super(message);
    this.metrics = metrics;
  }
}

/** The status entry of a metric that could not be read. */
const unknownMetric: ReadMetricStatus = { type: "" };

async function recommendationOf(
  { metadata, spec }: ReadAutoscaler,
  target: ScaleTarget,
  tools: SyncContext,
): Promise<Recommendation> {
  const { apis, status, nowMs, event } = tools;
  const { namespace = "" } = metadata;
  const { selector, pods } = await podsOf(target, tools);
  const { specReplicas, statusReplicas } = target;
  const tolerances = tolerancesOf(spec.behavior);
  const workload = { namespace, specReplicas, statusReplicas, selector, pods, tolerances, nowMs };
  const metrics = spec.metrics ?? [];
  const statuses: ReadMetricStatus[] = [];
  const failures: MetricFailure[] = [];
  let best: Proposal | undefined;
  for (const metric of metrics) {
    try {
      const proposal = await proposalOf(metric, workload, apis);
      statuses.push(proposal.status);
      if (best === undefined || best.replicas === 0 || proposal.replicas > best.replicas) best = proposal;
    } catch (error) {
      if (!(error instanceof MetricFailure)) throw error;
      event("Warning", error.reason, error.detail);
      statuses.push(unknownMetric);
      failures.push(error);
    }
  }
  const [first] = failures;
  // A metric that cannot be read might propose more, so a failure blocks a scale-down.
  if (best === undefined || (first !== undefined && best.replicas < specReplicas)) {
    const { reason = "", detail = "", message = "" } = first ?? {};
    status.setCondition("ScalingActive", "False", {
      reason,
      message: `the HPA was unable to compute the replica count: ${detail}`,
    });
    throw new NoRecommendation(
      `invalid metrics (${failures.length} invalid out of ${metrics.length}), first error is: ${message}`,
      statuses,
    );
  }
  status.setCondition("ScalingActive", "True", {
    reason: "ValidMetricFound",
    message: `the HPA was able to successfully calculate a replica count from ${best.name}`,
  });
  return { replicas: best.replicas, name: best.name, metrics: statuses };
}

/** The Pods of the target. Fails if another HPA also selects them. */
async function podsOf(
  { selector: text }: ScaleTarget,
  { status, memory, event, pods, autoscalersOf }: SyncContext,
): Promise<{ readonly selector: LabelSelector; readonly pods: readonly ReadPod[] }> {
  const fail = (eventReason: string, reason: string, why: string, message = why): never => {
    event("Warning", eventReason, why);
    status.setCondition("ScalingActive", "False", { reason, message });
    throw new NoRecommendation(why, undefined);
  };
  if (text === "")
    fail("SelectorRequired", "InvalidSelector", "selector is required", "the HPA target's scale is missing a selector");
  let selector: LabelSelector;
  try {
    selector = parseLabelSelector(text);
  } catch (error) {
    const why = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
    return fail("InvalidSelector", "InvalidSelector", why);
  }
  memory.selector = selector;
  const selected = await pods(selector);
  const scaledBy = autoscalersOf(selected);
  if (scaledBy.length > 1) {
    const why = `pods by selector ${text} are controlled by multiple HPAs: [${scaledBy.join(" ")}]`;
    fail("AmbiguousSelector", "AmbiguousSelector", why);
  }
  return { selector, pods: selected };
}

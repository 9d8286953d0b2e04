import { formatTime } from "@kubewright/core/meta";
import type { PodCondition, PodStatus } from "kubewright/k8s/core/v1";
import type { ContainerSnapshot, PodSnapshot } from "./pod-timeline.js";
import type { ReadPod } from "./read-objects.js";

interface ConditionReason {
  readonly reason?: string;
  readonly message?: string;
}

/** The Pod conditions that a kubelet sets. An unchanged condition keeps its lastTransitionTime. */
export function podConditions(
  pod: ReadPod,
  snapshot: PodSnapshot,
  phase: PodStatus["phase"],
  nowMs: number,
): PodCondition[] {
  const isTerminal = phase === "Succeeded" || phase === "Failed";
  const unready = whyNotReady(snapshot, phase);
  const gates = failedReadinessGates(pod);
  const pending = isTerminal ? [] : snapshot.inits.filter(isPending);
  const condition = (type: string, isTrue: boolean, why: ConditionReason = {}): PodCondition => {
    const status = isTrue ? "True" : "False";
    const before = pod.status?.conditions?.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(nowMs);
    return { type, status, lastTransitionTime, observedGeneration: pod.metadata.generation, ...why };
  };
  return [
    condition("PodReadyToStartContainers", !isTerminal),
    pending.length > 0
      ? condition("Initialized", false, {
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: ${named(pending)}`,
        })
      : condition("Initialized", true, phase === "Succeeded" ? { reason: "PodCompleted" } : {}),
    condition("Ready", unready === undefined && gates === undefined, unready ?? gates),
    condition("ContainersReady", unready === undefined, unready),
    condition("PodScheduled", true),
  ];
}

function whyNotReady({ containers }: PodSnapshot, phase: PodStatus["phase"]): ConditionReason | undefined {
  const unready = containers.filter(({ state }) => !(state.kind === "running" && state.ready));
  if (unready.length === 0) return undefined;
  if (phase === "Succeeded") return { reason: "PodCompleted" };
  if (phase === "Failed") return { reason: "PodFailed" };
  return { reason: "ContainersNotReady", message: `containers with unready status: ${named(unready)}` };
}

function failedReadinessGates({ spec, status }: ReadPod): ConditionReason | undefined {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    if (condition?.status === "True") return [];
    return condition === undefined
      ? [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  return messages.length === 0 ? undefined : { reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

function isPending({ state }: ContainerSnapshot): boolean {
  return state.kind === "waiting" || (state.kind === "terminated" && state.exitCode !== 0);
}

function named(snapshots: readonly ContainerSnapshot[]): string {
  return `[${snapshots.map(({ name }) => name).join(" ")}]`;
}

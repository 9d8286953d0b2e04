import { formatTime } from "@kubewright/core/meta";
import type { PodCondition, PodStatus } from "kubewright/k8s/core/v1";
import type { ContainerMoment, PodMoment } from "./pod-timeline.js";
import type { ReadPod } from "./read-objects.js";

interface Why {
  readonly reason?: string;
  readonly message?: string;
}

/** The conditions that a kubelet keeps of a pod. A condition that stays as it is keeps its time. */
export function podConditions(
  pod: ReadPod,
  moment: PodMoment,
  phase: PodStatus["phase"],
  nowMs: number,
): PodCondition[] {
  const isOver = phase === "Succeeded" || phase === "Failed";
  const unready = whyNotReady(moment, phase);
  const closed = closedGates(pod);
  const pending = isOver ? [] : moment.inits.filter(isPending);
  const condition = (type: string, isTrue: boolean, why: Why = {}): PodCondition => {
    const status = isTrue ? "True" : "False";
    const before = pod.status?.conditions?.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(nowMs);
    return { type, status, lastTransitionTime, observedGeneration: pod.metadata.generation, ...why };
  };
  return [
    condition("PodReadyToStartContainers", !isOver),
    pending.length > 0
      ? condition("Initialized", false, {
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: ${named(pending)}`,
        })
      : condition("Initialized", true, phase === "Succeeded" ? { reason: "PodCompleted" } : {}),
    condition("Ready", unready === undefined && closed === undefined, unready ?? closed),
    condition("ContainersReady", unready === undefined, unready),
    condition("PodScheduled", true),
  ];
}

function whyNotReady({ containers }: PodMoment, phase: PodStatus["phase"]): Why | undefined {
  const unready = containers.filter(({ state }) => !(state.kind === "running" && state.ready));
  if (unready.length === 0) return undefined;
  if (phase === "Succeeded") return { reason: "PodCompleted" };
  if (phase === "Failed") return { reason: "PodFailed" };
  return { reason: "ContainersNotReady", message: `containers with unready status: ${named(unready)}` };
}

function closedGates({ spec, status }: ReadPod): Why | undefined {
  const messages = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    if (condition?.status === "True") return [];
    return condition === undefined
      ? [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`];
  });
  return messages.length === 0 ? undefined : { reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

function isPending({ state }: ContainerMoment): boolean {
  return state.kind === "waiting" || (state.kind === "ended" && state.exitCode !== 0);
}

function named(moments: readonly ContainerMoment[]): string {
  return `[${moments.map(({ name }) => name).join(" ")}]`;
}

import { deepEqual } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import type { HorizontalPodAutoscalerCondition } from "kubewright/k8s/autoscaling/v2";
import type { ReadAutoscaler, ReadMetricStatus } from "./autoscaler-objects.js";
import type { Reason } from "./bounded-replicas.js";

type ConditionType = "AbleToScale" | "ScalingActive" | "ScalingLimited";

/** Collects the new status of an HPA during one sync. */
export class AutoscalerStatus {
  readonly #before: ReadAutoscaler["status"];
  readonly #nowMs: number;
  readonly #conditions: HorizontalPodAutoscalerCondition[];
  current: number | undefined;
  desired: number;
  metrics: readonly ReadMetricStatus[] | undefined;
  lastScaleTime: string | undefined;

  constructor({ status }: ReadAutoscaler, nowMs: number) {
    this.#before = status;
    this.#nowMs = nowMs;
    this.#conditions = (status?.conditions ?? []).map((condition) => ({ ...condition }));
    this.current = status?.currentReplicas;
    this.desired = status?.desiredReplicas ?? 0;
    this.metrics = status?.currentMetrics;
    this.lastScaleTime = status?.lastScaleTime;
  }

  /** Sets a condition. lastTransitionTime changes only with the status. */
  setCondition(type: ConditionType, is: "True" | "False", { reason, message }: Reason): void {
    let condition = this.#conditions.find((one) => one.type === type);
    if (condition === undefined) {
      condition = { type, status: "" };
      this.#conditions.push(condition);
    }
    if (condition.status !== is) condition.lastTransitionTime = formatTime(this.#nowMs);
    Object.assign(condition, { status: is, reason, message });
  }

  /** The status as a merge patch; undefined if it is unchanged. */
  patch(): object | undefined {
    const before = this.#before;
    // Go omits a zero value.
    const currentReplicas = this.current === 0 ? undefined : this.current;
    const status = {
      currentReplicas,
      desiredReplicas: this.desired,
      currentMetrics: this.metrics,
      lastScaleTime: this.lastScaleTime,
      conditions: this.#conditions.length === 0 ? undefined : this.#conditions,
    };
    const isSame = Object.entries(status).every(([field, value]) =>
      deepEqual(value, (before as Readonly<Record<string, unknown>> | undefined)?.[field]),
    );
    if (isSame) return undefined;
    return Object.fromEntries(Object.entries(status).map(([field, value]) => [field, value ?? null]));
  }
}

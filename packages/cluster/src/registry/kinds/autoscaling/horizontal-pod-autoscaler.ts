import type { HorizontalPodAutoscaler as AutoscalerV1 } from "kubewright/k8s/autoscaling/v1";
import type { HPAScalingPolicy, HPAScalingRules, MetricSpec, MetricStatus } from "kubewright/k8s/autoscaling/v2";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { keepOtherPart } from "../spec-and-status.js";
import {
  autoscalerFromV2,
  autoscalerToV2,
  cacheV2Form,
  dropReservedAnnotations,
  type StoredAutoscaler,
} from "./autoscaler-conversion.js";
import { checkAutoscaler, sourceKeys } from "./check-autoscaler.js";

const columns: readonly Column<StoredAutoscaler>[] = [
  nameColumn,
  {
    name: "Reference",
    type: "string",
    cell(object) {
      const { kind = "", name = "" } = object.spec?.scaleTargetRef ?? {};
      return `${kind}/${name}`;
    },
  },
  { name: "Targets", type: "string", cell: targetsOf },
  { name: "MinPods", type: "string", cell: (object) => String(object.spec?.minReplicas ?? "<unset>") },
  { name: "MaxPods", type: "string", cell: (object) => object.spec?.maxReplicas ?? 0 },
  { name: "Replicas", type: "string", cell: (object) => object.status?.currentReplicas ?? 0 },
  ageColumn,
];

/** HorizontalPodAutoscaler of `autoscaling/v2`, the stored form. */
export const autoscalerStrategy: Strategy<StoredAutoscaler> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    dropReservedAnnotations(draft);
    const spec = childDraft(draft, "spec");
    spec.minReplicas ??= 1;
    if ((spec.metrics ?? []).length === 0)
      spec.metrics = [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ];
    if (!spec.behavior) return;
    const scaleUp = childDraft(spec.behavior, "scaleUp");
    scaleUp.stabilizationWindowSeconds ??= 0;
    applyRules(scaleUp, [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ]);
    applyRules(childDraft(spec.behavior, "scaleDown"), [{ type: "Percent", value: 100, periodSeconds: 15 }]);
  },
  prepareForCreate(draft) {
    draft.status = { desiredReplicas: 0, currentMetrics: null };
  },
  prepareForUpdate: keepOtherPart,
  validate: (object, _old, { subresource }) => checkAutoscaler(object, subresource),
  table: {
    columns,
  },
};

/** HorizontalPodAutoscaler of `autoscaling/v1`: only CPU utilization; annotations hold the rest. */
export const autoscalerV1Strategy: Strategy<AutoscalerV1> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    childDraft(draft, "spec").minReplicas ??= 1;
    asV2(draft, () => undefined);
  },
  prepareForCreate: (draft, context) => asV2(draft, (stored) => autoscalerStrategy.prepareForCreate?.(stored, context)),
  // After managedFields are computed: a field manager that omits an annotation no longer owns it, although it is set again.
  prepareForUpdate: (draft, old, context) =>
    asV2(draft, (stored) => keepOtherPart(stored, autoscalerToV2(old), context)),
  // Errors name the fields of the stored form.
  validate: (object, _old, { subresource }) => checkAutoscaler(autoscalerToV2(object), subresource),
  table: {
    columns: columns.map((column) => ({ ...column, cell: (one, nowMs) => column.cell(autoscalerToV2(one), nowMs) })),
  },
};

/** Applies a change of the v2 form to a v1 object, in place. */
function asV2(draft: Drafted<AutoscalerV1>, change: (stored: Drafted<StoredAutoscaler>) => void): void {
  const stored = autoscalerToV2(draft) as Drafted<StoredAutoscaler>;
  change(stored);
  Object.assign(draft, autoscalerFromV2(stored));
  cacheV2Form(draft, stored);
}

function applyRules(rules: Drafted<HPAScalingRules>, policies: Drafted<HPAScalingPolicy>[]): void {
  rules.selectPolicy ??= "Max";
  rules.policies ??= policies;
}

function targetsOf({ spec, status }: Decoded<StoredAutoscaler>): string {
  const targets = (spec?.metrics ?? []).map((metric, index) => targetOf(metric, status?.currentMetrics?.[index] ?? {}));
  if (targets.length === 0) return "<none>";
  if (targets.length <= 2) return targets.join(", ");
  return `${targets.slice(0, 2).join(", ")} + ${targets.length - 2} more...`;
}

function targetOf(metric: Decoded<MetricSpec>, status: Decoded<MetricStatus>): string {
  const key = sourceKeys.find((one) => metric[one]);
  if (key === undefined) return "";
  const { target = {} } = metric[key] ?? {};
  const { current = {} } = status[key] ?? {};
  const resource = metric.resource ?? metric.containerResource;
  const prefix = resource ? `${resource.name ?? ""}: ` : "";
  if (target.averageValue !== undefined) {
    const suffix = resource || key === "pods" ? "" : " (avg)";
    return `${prefix}${current.averageValue ?? "<unknown>"}/${target.averageValue}${suffix}`;
  }
  if (!resource) return `${current.value ?? "<unknown>"}/${target.value ?? ""}`;
  const percent = (value: number | undefined, none: string): string => (value === undefined ? none : `${value}%`);
  return `${prefix}${percent(current.averageUtilization, "<unknown>")}/${percent(target.averageUtilization, "<auto>")}`;
}

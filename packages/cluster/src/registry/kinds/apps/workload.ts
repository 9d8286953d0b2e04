import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { PodSpec, PodTemplateSpec } from "kubewright/k8s/core/v1";
import type { LabelSelector } from "kubewright/k8s/meta/v1";
import type { Decoded } from "../../decoded.js";
import { numberAt } from "../../draft.js";
import type { Column, ColumnOf } from "../../strategy.js";
import {
  checkLabelSelector,
  checkNotNegative,
  type Errors,
  immutable,
  isEmptySelector,
  printSelector,
  selects,
} from "../../validation/index.js";
import { checkPodTemplate } from "../core/pod-spec/index.js";

/** The fields that the specs of workloads share. */
interface WorkloadSpec {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

interface Workload {
  readonly spec: WorkloadSpec;
}

/** Validates a required, non-empty selector. `kind` is for the message. */
export function checkRequiredSelector(spec: Decoded<WorkloadSpec>, kind: string, errors: Errors): void {
  const { selector } = spec;
  if (!selector) return void errors.push(required("spec.selector"));
  checkLabelSelector(selector, "spec.selector", errors);
  if (isEmptySelector(selector))
    errors.push(invalid("spec.selector", selector, `empty selector is invalid for ${kind}`));
}

/** Whether the selector is valid; the template is validated only then. */
export function hasValidSelector({ selector }: Decoded<WorkloadSpec>): boolean {
  const errors: Errors = [];
  checkLabelSelector(selector, "", errors);
  return errors.length === 0;
}

/** The selector must match the labels of the template. {@link checkRequiredSelector} reports an empty one. */
export function checkSelectorMatches({ selector, template }: Decoded<WorkloadSpec>, errors: Errors): void {
  if (selector && isEmptySelector(selector)) return;
  const labels = template?.metadata?.labels;
  if (!selects(selector, labels ?? {}))
    errors.push(
      invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`"),
    );
}

/** Validates the pod template of a workload other than a Job. `owner` is for the message. */
export function checkWorkloadTemplate(template: Decoded<PodTemplateSpec>, owner: string, errors: Errors): void {
  checkPodTemplate(template, "spec.template", errors);
  checkRestartAlways(template, owner, errors);
}

/** Pods of such a workload have restartPolicy Always and no activeDeadlineSeconds. */
export function checkRestartAlways({ spec = {} }: Decoded<PodTemplateSpec>, owner: string, errors: Errors): void {
  if (spec.restartPolicy !== "Always")
    errors.push(notSupported("spec.template.spec.restartPolicy", spec.restartPolicy ?? "", ["Always"]));
  if (spec.activeDeadlineSeconds !== undefined)
    errors.push(
      forbidden("spec.template.spec.activeDeadlineSeconds", `activeDeadlineSeconds in ${owner} is not Supported`),
    );
}

/** Rejects a change of an immutable field of the spec. */
export function checkImmutable<Spec extends JsonObject>(
  spec: Spec,
  old: Spec,
  key: keyof Spec & string,
  errors: Errors,
): void {
  const value = spec[key] ?? null;
  if (!deepEqual(value, old[key] ?? null)) errors.push(invalid(`spec.${key}`, value, immutable));
}

/** The counts whose rules are the same in all workloads. */
type Counts = Decoded<{ replicas: number; readyReplicas: number; availableReplicas: number; collisionCount: number }>;

/** Validates the counts of a status: none below zero, none of `parts` above `replicas`. */
export function checkCounts<Status extends Counts>(
  status: Status,
  old: Status | undefined,
  {
    counts,
    parts,
    ready = "readyReplicas",
  }: {
    readonly counts: readonly (keyof Status & string)[];
    readonly parts: readonly (keyof Status & string)[];
    readonly ready?: string;
  },
): Errors {
  const errors: Errors = [];
  checkNotNegative(status, counts, "status", errors);
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0, collisionCount = 0 }: Counts = status;
  for (const key of parts)
    if (numberAt(status, key) > replicas)
      errors.push(invalid(`status.${key}`, numberAt(status, key), "cannot be greater than status.replicas"));
  if (parts.includes("availableReplicas") && availableReplicas > readyReplicas)
    errors.push(invalid("status.availableReplicas", availableReplicas, `cannot be greater than ${ready}`));
  const before = old?.collisionCount;
  if (counts.includes("collisionCount") && before !== undefined && collisionCount < before)
    errors.push(invalid("status.collisionCount", collisionCount, "cannot be decremented"));
  return errors;
}

/** The columns Containers and Images. */
export function containerColumns<Read = JsonObject>(
  podOf: (object: Read) => Decoded<PodSpec> | undefined,
  priority: 0 | 1 = 1,
): readonly ColumnOf<Read>[] {
  const listed = (object: Read, part: "name" | "image"): string =>
    (podOf(object)?.containers ?? []).map((container) => container[part] ?? "").join(",");
  return [
    { name: "Containers", type: "string", priority, cell: (object) => listed(object, "name") },
    { name: "Images", type: "string", priority, cell: (object) => listed(object, "image") },
  ];
}

/** The columns of `-o wide`: Containers, Images, Selector. */
export const wideColumns: readonly Column<Workload>[] = [
  ...containerColumns(({ spec }: Decoded<Workload>) => spec?.template?.spec),
  { name: "Selector", type: "string", priority: 1, cell: (object) => printSelector(object.spec?.selector) },
];

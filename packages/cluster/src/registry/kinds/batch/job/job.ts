import { deepEqual, goQuote, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import type { Job, JobSpec } from "kubewright/k8s/batch/v1";
import type { Container, PodSpec } from "kubewright/k8s/core/v1";
import { ageColumn, countOf, nameColumn } from "../../../columns.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft } from "../../../draft.js";
import { humanDuration } from "../../../human-duration.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { checkLabelSelector, type Errors, immutable, selects } from "../../../validation/index.js";
import { checkImmutable, hasValidSelector, wideColumns } from "../../apps/workload.js";
import { keepOtherPart, specChanged } from "../../spec-and-status.js";
import { applyJobSpecDefaults, canonicalizeJobSpec, checkJobSpec, jobSpecWarnings } from "./job-spec.js";
import { checkJobStatus, hasCondition } from "./job-status.js";

const uidLabels = ["controller-uid", "batch.kubernetes.io/controller-uid"] as const;
const nameLabels = ["job-name", "batch.kubernetes.io/job-name"] as const;

const immutableFields = [
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
] as const;

/** Labels that defaulting copied from the template, as opposed to equal labels that the client sent. */
const copiedLabels = new WeakSet<object>();

/** Job. The selector is generated from the uid. */
export const jobStrategy: Strategy<Job> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (spec.parallelism === undefined) spec.completions ??= 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2147483647;
    spec.completionMode ??= "NonIndexed";
    spec.suspend ??= false;
    spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
    spec.manualSelector ??= false;
    applyJobSpecDefaults(spec);
    const labels = spec.template?.metadata?.labels;
    const metadata = childDraft(draft, "metadata");
    if (labels && countOf(metadata.labels ?? {}) === 0) {
      metadata.labels = { ...labels };
      copiedLabels.add(metadata.labels);
    }
  },
  prepareForCreate(draft) {
    const metadata = childDraft(draft, "metadata");
    // Labels that defaulting copies from the template include the generated ones.
    const { labels = {} } = metadata;
    const isShared = copiedLabels.has(labels) || countOf(labels) + countOf(templateLabels(draft)) === 0;
    if (!draft.spec?.manualSelector) generateSelector(draft);
    if (isShared) metadata.labels = { ...templateLabels(draft) };
    draft.status = {};
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    // Defaulting copies the labels of the template; no field manager owns them.
    const metadata = childDraft(draft, "metadata");
    const labels = templateLabels(draft);
    if (countOf(metadata.labels ?? {}) === 0 && countOf(labels) > 0) metadata.labels = { ...labels };
  },
  canonicalize: (draft) => canonicalizeJobSpec(childDraft(draft, "spec")),
  isNewGeneration: specChanged,
  validate(job, old, { subresource }) {
    if (subresource === "status") return checkJobStatus(job, old ?? {});
    const errors: Errors = [];
    checkGenerated(job, old, errors);
    checkWholeSpec(job.spec ?? {}, errors);
    checkPodNames(job, errors);
    if (old) checkUpdate(job, old, errors);
    return errors;
  },
  warn(job, old) {
    const problems = old ? [] : labelName(job.metadata?.name ?? "");
    const isSame = old !== undefined && job.metadata?.generation === old.metadata?.generation;
    return [
      ...(problems.length === 0
        ? []
        : [
            `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
          ]),
      ...(isSame ? [] : jobSpecWarnings(job.spec ?? {}, "spec")),
    ];
  },
  selectableFields: { "status.successful": (job) => String(job.status?.succeeded ?? 0) },
  unknownFieldLabel: (label) => `field label ${goQuote(label)} not supported for Job`,
  deletion: {
    defaultPropagation: "Orphan",
    warning:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  },
  table: {
    columns: [
      nameColumn,
      { name: "Status", type: "string", cell: statusOf },
      { name: "Completions", type: "string", cell: completionsOf },
      { name: "Duration", type: "string", cell: durationOf },
      ageColumn,
      ...wideColumns,
    ],
  },
};

function templateLabels(job: Decoded<Job>): Readonly<Record<string, string>> {
  return job.spec?.template?.metadata?.labels ?? {};
}

function generateSelector(draft: Drafted<Job>): void {
  const { name = "", uid = "" } = draft.metadata ?? {};
  const spec = childDraft(draft, "spec");
  const labels = childDraft(childDraft(childDraft(spec, "template"), "metadata"), "labels");
  for (const label of nameLabels) labels[label] ??= name;
  for (const label of uidLabels) labels[label] ??= uid;
  childDraft(childDraft(spec, "selector"), "matchLabels")[uidLabels[1]] ??= uid;
}

function checkWholeSpec(spec: Decoded<JobSpec>, errors: Errors): void {
  checkJobSpec(spec, "spec", errors);
  if (!spec.selector) errors.push(required("spec.selector"));
  checkLabelSelector(spec.selector, "spec.selector", errors);
  if (!hasValidSelector(spec)) return;
  const labels = spec.template?.metadata?.labels;
  if (!selects(spec.selector, labels ?? {}))
    errors.push(
      invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`"),
    );
}

/** Without manualSelector the selector must be the generated one. */
function checkGenerated(job: Decoded<Job>, old: Decoded<Job> | undefined, errors: Errors): void {
  const { metadata: { uid = "", name = "" } = {}, spec = {} } = job;
  if (spec.manualSelector || !spec.selector) return;
  const labels = templateLabels(job);
  const expected: Record<string, string> = {};
  // Older Jobs have only the labels without a domain.
  const had = old && templateLabels(old);
  const hasDomain = !had || [uidLabels[1], nameLabels[1]].every((label) => had[label] !== undefined);
  for (const index of hasDomain ? ([0, 1] as const) : ([0] as const))
    for (const [label, value] of [
      [uidLabels[index], uid],
      [nameLabels[index], name],
    ] as const) {
      expected[label] = value;
      const field = "spec.template.metadata.labels";
      const given = labels[label];
      if (given === undefined) errors.push(required(`${field}[${label}]`, `must be '${value}'`));
      else if (given !== value) errors.push(invalid(field, labels, `must be '${value}'`));
    }
  if (hasValidSelector(spec) && !selects(spec.selector, expected))
    errors.push(invalid("spec.selector", spec.selector, "`selector` not auto-generated"));
}

/** The pod names of an Indexed Job end with the index; the longest one must be valid. */
function checkPodNames(job: Decoded<Job>, errors: Errors): void {
  const { completionMode, completions = 0 } = job.spec ?? {};
  if (completionMode !== "Indexed" || completions <= 0) return;
  const { name = "" } = job.metadata ?? {};
  const longest = `${name}-${completions - 1}`;
  if (labelName(longest).length > 0)
    errors.push(invalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${longest}`));
}

function checkUpdate(job: Decoded<Job>, old: Decoded<Job>, errors: Errors): void {
  const { spec = {} } = job;
  const { spec: before = {} } = old;
  const { completions, parallelism } = spec;
  if (spec.completionMode !== "Indexed") checkImmutable(spec, before, "completions", errors);
  else if (completions !== undefined && completions !== before.completions && completions !== parallelism)
    errors.push(invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism"));
  checkImmutable(spec, before, "selector", errors);
  checkTemplateUpdate(job, old, errors);
  for (const key of immutableFields) checkImmutable(spec, before, key, errors);
}

/** Scheduling directives and resources of the template are mutable while a Job is suspended and no pod runs. */
function checkTemplateUpdate(job: Decoded<Job>, old: Decoded<Job>, errors: Errors): void {
  const { template = {} } = job.spec ?? {};
  const { template: before = {}, suspend } = old.spec ?? {};
  const { startTime, active = 0 } = old.status ?? {};
  const isSuspended = suspend && (startTime === undefined || hasCondition(old, "Suspended")) && active === 0;
  if (!isSuspended) {
    if (!deepEqual(template, before)) errors.push(invalid("spec.template", template, immutable));
    return;
  }
  const { spec: pod = {} } = template;
  if (!deepEqual(immutablePart(pod), immutablePart(before.spec ?? {})))
    errors.push(invalid("spec.template.spec", pod, immutable));
}

/** The pod spec without the fields that are mutable while a Job is suspended. */
function immutablePart(pod: Decoded<PodSpec>): JsonObject {
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, affinity = {}, ...rest } = pod;
  const { nodeAffinity: ____, ...others } = affinity;
  const withoutResources = (containers: readonly Decoded<Container>[] | undefined): JsonObject[] =>
    (containers ?? []).map(({ resources, ...container }) => container);
  return {
    ...rest,
    affinity: others,
    containers: withoutResources(pod.containers),
    initContainers: withoutResources(pod.initContainers),
  };
}

function statusOf(job: Decoded<Job>): string {
  if (hasCondition(job, "Complete")) return "Complete";
  if (hasCondition(job, "Failed")) return "Failed";
  if (job.metadata?.deletionTimestamp !== undefined) return "Terminating";
  for (const type of ["Suspended", "FailureTarget", "SuccessCriteriaMet"]) if (hasCondition(job, type)) return type;
  return "Running";
}

function completionsOf({ spec, status }: Decoded<Job>): string {
  const { completions, parallelism = 0 } = spec ?? {};
  const total = completions ?? (parallelism > 1 ? `1 of ${parallelism}` : 1);
  return `${status?.succeeded ?? 0}/${total}`;
}

function durationOf({ status }: Decoded<Job>, nowMs: number): string {
  const { startTime, completionTime } = status ?? {};
  if (!startTime) return "";
  return humanDuration((completionTime ? Date.parse(completionTime) : nowMs) - Date.parse(startTime));
}

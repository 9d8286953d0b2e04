import { invalid, required } from "@kubewright/core/schema";
import type { ReplicationController, ReplicationControllerSpec } from "kubewright/k8s/core/v1";
import { ageColumn, countOf, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkNotNegative, type Errors, printLabels } from "../../validation/index.js";
import { checkReplicaStatus, countColumns } from "../apps/replica-set.js";
import { checkWorkloadTemplate, containerColumns } from "../apps/workload.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import { oldTemplateWarnings } from "./pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "./pod-spec/index.js";

/** ReplicationController: a ReplicaSet whose selector is a map of labels. */
export const replicationControllerStrategy: Strategy<ReplicationController> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.replicas ??= 1;
    if (spec.template) applyPodTemplateDefaults(spec.template);
    const labels = spec.template?.metadata?.labels;
    if (!labels || countOf(labels) === 0) return;
    spec.selector ??= { ...labels };
    childDraft(draft, "metadata").labels ??= { ...labels };
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0 };
  },
  prepareForUpdate(draft, old, context) {
    keepOtherPart(draft, old, context);
    // Defaulting copies the labels of the template; no field manager owns them.
    const labels = draft.spec?.template?.metadata?.labels ?? {};
    if (countOf(labels) > 0) childDraft(draft, "metadata").labels ??= { ...labels };
  },
  isNewGeneration: specChanged,
  validate(object, _old, { subresource }) {
    if (subresource === "status") return checkReplicaStatus(object.status ?? {});
    const { spec = {} } = object;
    const errors: Errors = [];
    checkNotNegative(spec, ["minReadySeconds"], "spec", errors);
    if (countOf(spec.selector ?? {}) === 0) errors.push(required("spec.selector"));
    checkNotNegative(spec, ["replicas"], "spec", errors);
    checkTemplate(spec, errors);
    return errors;
  },
  warn: oldTemplateWarnings,
  deletion: {
    defaultPropagation: "Orphan",
  },
  table: {
    columns: [
      nameColumn,
      ...countColumns,
      ageColumn,
      ...containerColumns((object: Decoded<ReplicationController>) => object.spec?.template?.spec),
      { name: "Selector", type: "string", priority: 1, cell: (object) => printLabels(object.spec?.selector ?? {}) },
    ],
  },
  selectableFields: { "status.replicas": (object) => String(object.status?.replicas ?? 0) },
};

function checkTemplate({ selector = {}, template }: Decoded<ReplicationControllerSpec>, errors: Errors): void {
  if (!template) return void errors.push(required("spec.template"));
  const labels = template.metadata?.labels ?? {};
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value))
    errors.push(
      invalid(
        "spec.template.metadata.labels",
        countOf(labels) === 0 ? null : labels,
        "`selector` does not match template `labels`",
      ),
    );
  checkWorkloadTemplate(template, "ReplicationController", errors);
}

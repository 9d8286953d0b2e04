import type { JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { childDraft, isDraft, objectAt, setMissing } from "../../draft.js";
import type { Strategy } from "../../strategy.js";
import { checkNotNegative, type Errors, printLabels } from "../../validation/index.js";
import { countColumns, counts, parts, replicaSetStrategy } from "../apps/replica-set.js";
import { checkCounts, checkRunningTemplate, containerColumns, templateOf } from "../apps/workload.js";
import { oldTemplateWarnings } from "./pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "./pod-spec/index.js";

/** ReplicationController: a ReplicaSet whose selector is a map of labels. */
export const replicationControllerStrategy: Strategy = {
  ...replicaSetStrategy,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "replicas", 1);
    const template = spec["template"];
    if (isDraft(template)) applyPodTemplateDefaults(template);
    const labels = isDraft(template) ? objectAt(template, "metadata")["labels"] : undefined;
    if (labels === undefined || Object.keys(labels ?? {}).length === 0) return;
    if (spec["selector"] === undefined) spec["selector"] = { ...(labels as Record<string, string>) };
    const metadata = childDraft(draft, "metadata");
    if (metadata["labels"] === undefined) metadata["labels"] = { ...(labels as Record<string, string>) };
  },
  prepareForUpdate(draft, old, context) {
    replicaSetStrategy.prepareForUpdate?.(draft, old, context);
    // Defaulting copies the labels of the template; they have no field owner.
    const metadata = childDraft(draft, "metadata");
    const labels = objectAt(objectAt(templateOf(draft), "metadata"), "labels");
    if (metadata["labels"] === undefined && Object.keys(labels).length > 0)
      metadata["labels"] = { ...labels } as Record<string, string>;
  },
  warn: oldTemplateWarnings,
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkCounts(object, old, { counts, parts });
    const spec = objectAt(object, "spec");
    const errors: Errors = [];
    checkNotNegative(spec, ["minReadySeconds"], "spec", errors);
    checkSelectorMap(spec, errors);
    checkNotNegative(spec, ["replicas"], "spec", errors);
    checkOldTemplate(spec, errors);
    return errors;
  },
  deletion: {
    defaultPropagation: "Orphan",
  },
  table: {
    columns: [
      nameColumn,
      ...countColumns,
      ageColumn,
      ...containerColumns((object) => objectAt(templateOf(object), "spec")),
      {
        name: "Selector",
        type: "string",
        priority: 1,
        cell: (object) => printLabels(objectAt(objectAt(object, "spec"), "selector")),
      },
    ],
  },
};

function checkSelectorMap(spec: JsonObject, errors: Errors): void {
  const selector = objectAt(spec, "selector");
  if (Object.keys(selector).length === 0) errors.push(required("spec.selector"));
}

function checkOldTemplate(spec: JsonObject, errors: Errors): void {
  if (spec["template"] === undefined || spec["template"] === null) return void errors.push(required("spec.template"));
  const selector = objectAt(spec, "selector");
  const labels = objectAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
  const fits = Object.entries(selector).every(([key, value]) => labels[key] === value);
  if (Object.keys(selector).length > 0 && !fits)
    errors.push(
      invalid(
        "spec.template.metadata.labels",
        Object.keys(labels).length === 0 ? null : labels,
        "`selector` does not match template `labels`",
      ),
    );
  checkRunningTemplate(spec, "ReplicationController", errors);
}

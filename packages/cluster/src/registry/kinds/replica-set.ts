import type { JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { childDraft, isDraft, objectAt } from "../draft.js";
import { subdomainName } from "../name-rules.js";
import type { Strategy } from "../resource.js";
import { checkNotNegative, type Errors, numberAt } from "./field-checks.js";
import { printLabels } from "./label-selectors.js";
import { applyPodTemplateDefaults } from "./pod-spec/index.js";
import { oldTemplateWarnings, templateWarnings } from "./pod-warnings.js";
import {
  checkCounts,
  checkImmutable,
  checkRequiredSelector,
  checkRunningTemplate,
  checkSelectorFits,
  containerColumns,
  countColumn,
  isSound,
  keepOtherPart,
  setMissing,
  specChanged,
  templateOf,
  wideColumns,
} from "./workload.js";

const counts = [
  "replicas",
  "fullyLabeledReplicas",
  "readyReplicas",
  "availableReplicas",
  "observedGeneration",
  "terminatingReplicas",
];
const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
const countColumns = [
  countColumn("Desired", "spec", "replicas"),
  countColumn("Current", "status", "replicas"),
  countColumn("Ready", "status", "readyReplicas"),
];

/** Replica sets. */
export const replicaSetStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  leavesFrozen: true,
  tracksGeneration: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "replicas", 1);
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareNew(draft) {
    draft["status"] = { replicas: 0 };
  },
  prepareChange: keepOtherPart,
  isNewGeneration: specChanged,
  check(object, old, subresource) {
    if (subresource === "status") return checkCounts(object, old, { counts, parts });
    const spec = objectAt(object, "spec");
    const errors: Errors = [];
    checkNotNegative(spec, ["replicas", "minReadySeconds"], "spec", errors);
    // The text speaks of a deployment: it is the server's own.
    checkRequiredSelector(spec, "deployment", errors);
    if (!isSound(spec)) errors.push(invalid("spec.selector", spec["selector"] ?? null, "invalid label selector"));
    else {
      checkSelectorFits(spec, errors);
      checkRunningTemplate(spec, "ReplicaSet", errors);
    }
    if (old) checkImmutable(object, old, "selector", errors);
    return errors;
  },
  warn: templateWarnings,
  selectableFields: { "status.replicas": (object) => String(numberAt(objectAt(object, "status"), "replicas")) },
  columns: [nameColumn, ...countColumns, ageColumn, ...wideColumns],
};

/** Replication controllers: the elder form of replica sets, whose selector is a map of labels. */
export const replicationControllerStrategy: Strategy = {
  ...replicaSetStrategy,
  defaultPropagation: "Orphan",
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
  // What is stored without labels comes back with those of its template; nobody owns them.
  admitChange(draft) {
    const metadata = childDraft(draft, "metadata");
    const labels = objectAt(objectAt(templateOf(draft), "metadata"), "labels");
    if (metadata["labels"] === undefined && Object.keys(labels).length > 0)
      metadata["labels"] = { ...labels } as Record<string, string>;
  },
  warn: oldTemplateWarnings,
  check(object, old, subresource) {
    if (subresource === "status") return checkCounts(object, old, { counts, parts });
    const spec = objectAt(object, "spec");
    const errors: Errors = [];
    checkNotNegative(spec, ["minReadySeconds"], "spec", errors);
    checkSelectorMap(spec, errors);
    checkNotNegative(spec, ["replicas"], "spec", errors);
    checkOldTemplate(spec, errors);
    return errors;
  },
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

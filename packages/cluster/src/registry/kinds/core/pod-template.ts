import { deepEqual } from "@kubewright/core/json";
import { nameColumn } from "../../columns.js";
import { childDraft, objectAt } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { type Errors, printLabels } from "../../validation/index.js";
import { containerColumns } from "../apps/workload.js";
import { podWarnings } from "./pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "./pod-spec/index.js";

/** PodTemplate. */
export const podTemplateStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    applyPodTemplateDefaults(childDraft(draft, "template"));
  },
  isNewGeneration: (object, old) => !deepEqual(object["template"], old["template"]),
  validate(object) {
    const errors: Errors = [];
    checkPodTemplate(objectAt(object, "template"), "template", errors);
    return errors;
  },
  warn(object, old) {
    if (old && deepEqual(object["template"], old["template"])) return [];
    return podWarnings(objectAt(object, "template"), "template");
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      ...containerColumns((object) => objectAt(objectAt(object, "template"), "spec"), 0),
      {
        name: "Pod Labels",
        type: "string",
        cell: (object) => printLabels(objectAt(objectAt(objectAt(object, "template"), "metadata"), "labels")),
      },
    ],
  },
};

import { deepEqual } from "@kubewright/core/json";
import type { PodTemplate } from "kubewright/k8s/core/v1";
import { nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { type Errors, printLabels } from "../../validation/index.js";
import { containerColumns } from "../apps/workload.js";
import { podWarnings } from "./pod/pod-warnings.js";
import { applyPodTemplateDefaults, checkPodTemplate } from "./pod-spec/index.js";

/** PodTemplate. */
export const podTemplateStrategy: Strategy<PodTemplate> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    applyPodTemplateDefaults(childDraft(draft, "template"));
  },
  isNewGeneration: (object, old) => !deepEqual(object.template, old.template),
  validate(object) {
    const errors: Errors = [];
    checkPodTemplate(object.template ?? {}, "template", errors);
    return errors;
  },
  warn(object, old) {
    if (old && deepEqual(object.template, old.template)) return [];
    return podWarnings(object.template ?? {}, "template");
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      ...containerColumns((object: Decoded<PodTemplate>) => object.template?.spec ?? {}, 0),
      {
        name: "Pod Labels",
        type: "string",
        cell: (object) => printLabels(object.template?.metadata?.labels ?? {}),
      },
    ],
  },
};

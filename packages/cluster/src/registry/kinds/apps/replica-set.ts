import { invalid } from "@kubewright/core/schema";
import type { ReplicaSet, ReplicaSetStatus } from "kubewright/k8s/apps/v1";
import { ageColumn, countColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkNotNegative, type Errors } from "../../validation/index.js";
import { templateWarnings } from "../core/pod/pod-warnings.js";
import { applyPodTemplateDefaults } from "../core/pod-spec/index.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";
import {
  checkCounts,
  checkImmutable,
  checkRequiredSelector,
  checkSelectorMatches,
  checkWorkloadTemplate,
  hasValidSelector,
  wideColumns,
} from "./workload.js";

const counts = [
  "replicas",
  "fullyLabeledReplicas",
  "readyReplicas",
  "availableReplicas",
  "observedGeneration",
  "terminatingReplicas",
] as const;

/** Validates the status of a ReplicaSet or a ReplicationController. */
export function checkReplicaStatus(status: Decoded<ReplicaSetStatus>): Errors {
  return checkCounts(status, undefined, {
    counts,
    parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  });
}

interface Replicated {
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas?: number; readonly readyReplicas?: number };
}

/** The columns Desired, Current, Ready. */
export const countColumns: readonly Column<Replicated>[] = [
  countColumn("Desired", (object) => object.spec?.replicas),
  countColumn("Current", (object) => object.status?.replicas),
  countColumn("Ready", (object) => object.status?.readyReplicas),
];

/** ReplicaSet. */
export const replicaSetStrategy: Strategy<ReplicaSet> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.replicas ??= 1;
    applyPodTemplateDefaults(childDraft(spec, "template"));
  },
  prepareForCreate(draft) {
    draft.status = { replicas: 0 };
  },
  prepareForUpdate: keepOtherPart,
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    if (subresource === "status") return checkReplicaStatus(object.status ?? {});
    const { spec = {} } = object;
    const errors: Errors = [];
    checkNotNegative(spec, ["replicas", "minReadySeconds"], "spec", errors);
    // kube-apiserver's message says "deployment" here.
    checkRequiredSelector(spec, "deployment", errors);
    if (!hasValidSelector(spec)) errors.push(invalid("spec.selector", spec.selector ?? null, "invalid label selector"));
    else {
      checkSelectorMatches(spec, errors);
      checkWorkloadTemplate(spec.template ?? {}, "ReplicaSet", errors);
    }
    if (old) checkImmutable(spec, old.spec ?? {}, "selector", errors);
    return errors;
  },
  warn: templateWarnings,
  table: {
    columns: [nameColumn, ...countColumns, ageColumn, ...wideColumns],
  },
};

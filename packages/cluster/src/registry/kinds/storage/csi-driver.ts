import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, notSupported } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  optionalNumber,
  setMissing,
  textAt,
  textsAt,
} from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkOptionalEnum, type Errors, entriesAt, immutable } from "../../validation/index.js";

function flagColumn(name: string, key: string): Column {
  return { name, type: "boolean", cell: (object) => objectAt(object, "spec")[key] === true };
}

/** CSIDriver. */
export const csiDriverStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    setMissing(spec, "attachRequired", true);
    for (const key of ["podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"])
      setMissing(spec, key, false);
    setMissing(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (listAt(spec, "volumeLifecycleModes").length === 0) spec["volumeLifecycleModes"] = ["Persistent"];
  },
  prepareForUpdate(draft, old) {
    // The generation starts with the first change.
    const { preventPodSchedulingIfMissing: _, ...spec } = objectAt(draft, "spec");
    if (!deepEqual(spec, objectAt(old, "spec")))
      childDraft(draft, "metadata")["generation"] = numberAt(metadataOf(old), "generation") + 1;
  },
  canonicalize(draft) {
    // Behind a feature gate that is off by default.
    delete childDraft(draft, "spec")["preventPodSchedulingIfMissing"];
  },
  validate(object, old) {
    const errors: Errors = [];
    const spec = objectAt(object, "spec");
    checkDriver(spec, errors);
    if (!old) return errors;
    const before = objectAt(old, "spec");
    // kube-apiserver names the field "attachedRequired".
    for (const [key, field] of [
      ["attachRequired", "spec.attachedRequired"],
      ["volumeLifecycleModes", "spec.volumeLifecycleModes"],
    ] as const)
      if (!deepEqual(spec[key] ?? null, before[key] ?? null)) errors.push(invalid(field, spec[key] ?? null, immutable));
    return errors;
  },
  warn(object, old) {
    const spec = objectAt(object, "spec");
    if (old && deepEqual(spec["tokenRequests"] ?? null, objectAt(old, "spec")["tokenRequests"] ?? null)) return [];
    return listAt(spec, "tokenRequests").length > 0 && spec["serviceAccountTokenInSecrets"] === undefined
      ? [
          "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
        ]
      : [];
  },
  deletion: {
    returnsObject: true,
  },
  table: {
    columns: [
      nameColumn,
      flagColumn("AttachRequired", "attachRequired"),
      flagColumn("PodInfoOnMount", "podInfoOnMount"),
      flagColumn("StorageCapacity", "storageCapacity"),
      { name: "TokenRequests", type: "string", cell: printAudiences },
      flagColumn("RequiresRepublish", "requiresRepublish"),
      {
        name: "Modes",
        type: "string",
        cell: (object) => textsAt(objectAt(object, "spec"), "volumeLifecycleModes").join(",") || "<none>",
      },
      ageColumn,
    ],
  },
};

function printAudiences(object: JsonObject): string {
  const spec = objectAt(object, "spec");
  if (spec["tokenRequests"] === undefined) return "<unset>";
  return [...entriesAt(spec, "tokenRequests", "")].map(([request]) => textAt(request, "audience")).join(",");
}

function checkDriver(spec: JsonObject, errors: Errors): void {
  checkOptionalEnum(spec["fsGroupPolicy"], ["File", "None", "ReadWriteOnceWithFSType"], "spec.fsGroupPolicy", errors);
  const audiences = new Set<string>();
  for (const [request, at] of entriesAt(spec, "tokenRequests", "spec")) {
    const audience = textAt(request, "audience");
    if (audiences.has(audience)) {
      errors.push(duplicate(`${at}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    const seconds = optionalNumber(request, "expirationSeconds");
    if (seconds !== undefined && seconds < 600)
      errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
    if (seconds !== undefined && seconds > 2 ** 32)
      errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"));
  }
  for (const mode of textsAt(spec, "volumeLifecycleModes"))
    if (mode !== "Persistent" && mode !== "Ephemeral")
      errors.push(notSupported("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"]));
  const period = optionalNumber(spec, "nodeAllocatableUpdatePeriodSeconds");
  if (period !== undefined && period < 10)
    errors.push(
      invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds"),
    );
  if (spec["serviceAccountTokenInSecrets"] !== undefined && listAt(spec, "tokenRequests").length === 0)
    errors.push(
      invalid(
        "spec.serviceAccountTokenInSecrets",
        spec["serviceAccountTokenInSecrets"],
        "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
      ),
    );
}

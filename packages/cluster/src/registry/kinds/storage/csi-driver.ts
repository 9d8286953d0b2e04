import { deepEqual } from "@kubewright/core/json";
import { duplicate, invalid, notSupported } from "@kubewright/core/schema";
import type { CSIDriver, CSIDriverSpec } from "kubewright/k8s/storage/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft } from "../../draft.js";
import { subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import { checkOptionalEnum, type Errors, entriesAt, immutable } from "../../validation/index.js";

function booleanColumn(name: string, key: keyof CSIDriverSpec): Column<CSIDriver> {
  return { name, type: "boolean", cell: (object) => object.spec?.[key] === true };
}

/** CSIDriver. */
export const csiDriverStrategy: Strategy<CSIDriver> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
    spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
    spec.volumeLifecycleModes ??= ["Persistent"];
  },
  prepareForUpdate(draft, old) {
    // The generation starts with the first change of the spec.
    const { preventPodSchedulingIfMissing: _, ...spec } = draft.spec ?? {};
    if (!deepEqual(spec, old.spec ?? {}))
      childDraft(draft, "metadata").generation = (old.metadata?.generation ?? 0) + 1;
  },
  canonicalize(draft) {
    // Behind a feature gate that is off by default.
    delete childDraft(draft, "spec").preventPodSchedulingIfMissing;
  },
  validate(object, old) {
    const errors: Errors = [];
    const spec = object.spec ?? {};
    checkDriver(spec, errors);
    if (!old) return errors;
    const before = old.spec ?? {};
    // kube-apiserver reports the field as "attachedRequired".
    for (const [key, field] of [
      ["attachRequired", "spec.attachedRequired"],
      ["volumeLifecycleModes", "spec.volumeLifecycleModes"],
    ] as const)
      if (!deepEqual(spec[key], before[key])) errors.push(invalid(field, spec[key] ?? null, immutable));
    return errors;
  },
  warn(object, old) {
    const spec = object.spec ?? {};
    if (old && deepEqual(spec.tokenRequests, old.spec?.tokenRequests)) return [];
    return spec.tokenRequests !== undefined && spec.serviceAccountTokenInSecrets === undefined
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
      booleanColumn("AttachRequired", "attachRequired"),
      booleanColumn("PodInfoOnMount", "podInfoOnMount"),
      booleanColumn("StorageCapacity", "storageCapacity"),
      {
        name: "TokenRequests",
        type: "string",
        cell: (object) => object.spec?.tokenRequests?.map((request) => request.audience).join(",") ?? "<unset>",
      },
      booleanColumn("RequiresRepublish", "requiresRepublish"),
      { name: "Modes", type: "string", cell: (object) => object.spec?.volumeLifecycleModes?.join(",") ?? "<none>" },
      ageColumn,
    ],
  },
};

function checkDriver(spec: Decoded<CSIDriverSpec>, errors: Errors): void {
  checkOptionalEnum(spec.fsGroupPolicy, ["File", "None", "ReadWriteOnceWithFSType"], "spec.fsGroupPolicy", errors);
  const audiences = new Set<string>();
  for (const [{ audience = "", expirationSeconds }, at] of entriesAt(spec, "tokenRequests", "spec")) {
    if (audiences.has(audience)) {
      errors.push(duplicate(`${at}.audience`, audience));
      continue;
    }
    audiences.add(audience);
    const field = `${at}.expirationSeconds`;
    if (expirationSeconds !== undefined && expirationSeconds < 600)
      errors.push(invalid(field, expirationSeconds, "may not specify a duration less than 10 minutes"));
    if (expirationSeconds !== undefined && expirationSeconds > 2 ** 32)
      errors.push(invalid(field, expirationSeconds, "may not specify a duration larger than 2^32 seconds"));
  }
  for (const mode of spec.volumeLifecycleModes ?? [])
    if (mode !== "Persistent" && mode !== "Ephemeral")
      errors.push(notSupported("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"]));
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10)
    errors.push(
      invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds"),
    );
  if (spec.serviceAccountTokenInSecrets !== undefined && spec.tokenRequests === undefined)
    errors.push(
      invalid(
        "spec.serviceAccountTokenInSecrets",
        spec.serviceAccountTokenInSecrets,
        "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
      ),
    );
}

import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  draftsIn,
  isDraft,
  listAt,
  metadataOf,
  objectAt,
  optionalNumber,
  textAt,
  textsAt,
} from "../../draft.js";
import { labelValue, qualifiedName, subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import {
  addressRange,
  checkName,
  checkQuantity,
  type Errors,
  entriesAt,
  parseRange,
  rangeWarnings,
} from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const rolePrefix = "node-role.kubernetes.io/";

/** Node. */
export const nodeStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const status = childDraft(draft, "status");
    if (status["allocatable"] === undefined && isDraft(status["capacity"]))
      status["allocatable"] = { ...status["capacity"] };
    for (const handler of draftsIn(status["runtimeHandlers"])) if (handler["name"] === undefined) handler["name"] = "";
    const spec = childDraft(draft, "spec");
    const first = textAt(spec, "podCIDR");
    if (first !== "" && textsAt(spec, "podCIDRs")[0] !== first) spec["podCIDRs"] = [first];
    else if (first === "" && textsAt(spec, "podCIDRs").length > 0) spec["podCIDR"] = textsAt(spec, "podCIDRs")[0] ?? "";
  },
  prepareForUpdate: keepOtherPart,
  // A removed feature: the field is dropped.
  canonicalize(draft) {
    if (objectAt(draft, "spec")["configSource"] !== undefined) delete childDraft(draft, "spec")["configSource"];
    if (objectAt(draft, "status")["config"] !== undefined) delete childDraft(draft, "status")["config"];
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    const [spec, status] = [objectAt(object, "spec"), objectAt(object, "status")];
    checkTaints(spec, errors);
    checkResourceLists(status, errors);
    checkFeatures(status, errors);
    if (subresource !== "status") {
      checkSwap(status, errors);
      checkPodCidrs(textsAt(spec, "podCIDRs"), errors);
    }
    if (old) checkChanged(object, old, errors);
    return errors;
  },
  warn: (object) => {
    const spec = objectAt(object, "spec");
    return [
      ...(textAt(spec, "externalID") === ""
        ? []
        : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
      ...textsAt(spec, "podCIDRs").flatMap((range, index) => rangeWarnings(`spec.podCIDRs[${index}]`, range)),
    ];
  },
  selectableFields: {
    "spec.unschedulable": (object) => String(objectAt(object, "spec")["unschedulable"] === true),
  },
  table: {
    columns: [
      nameColumn,
      { name: "Status", type: "string", cell: printStatus },
      { name: "Roles", type: "string", cell: printRoles },
      ageColumn,
      { name: "Version", type: "string", cell: (object) => infoOf(object, "kubeletVersion") },
      addressColumn("Internal-IP", "InternalIP"),
      addressColumn("External-IP", "ExternalIP"),
      { name: "OS-Image", type: "string", priority: 1, cell: (object) => infoOf(object, "osImage") || "<unknown>" },
      {
        name: "Kernel-Version",
        type: "string",
        priority: 1,
        cell(object) {
          const architecture = infoOf(object, "architecture");
          const version = infoOf(object, "kernelVersion") || "<unknown>";
          return architecture === "" ? version : `${version} (${architecture})`;
        },
      },
      {
        name: "Container-Runtime",
        type: "string",
        priority: 1,
        cell: (object) => infoOf(object, "containerRuntimeVersion") || "<unknown>",
      },
    ],
  },
};

function infoOf(object: JsonObject, key: string): string {
  return textAt(objectAt(objectAt(object, "status"), "nodeInfo"), key);
}

function printStatus(object: JsonObject): string {
  const ready = listAt(objectAt(object, "status"), "conditions").findLast(
    (one) => isJsonObject(one) && textAt(one, "type") === "Ready",
  );
  const status = isJsonObject(ready) ? (textAt(ready, "status") === "True" ? "Ready" : "NotReady") : "Unknown";
  return objectAt(object, "spec")["unschedulable"] === true ? `${status},SchedulingDisabled` : status;
}

function printRoles(object: JsonObject): string {
  const labels = objectAt(metadataOf(object), "labels");
  const roles = new Set<string>();
  for (const key of Object.keys(labels)) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === "kubernetes.io/role" && textAt(labels, key) !== "") roles.add(textAt(labels, key));
  }
  return [...roles].sort().join(",") || "<none>";
}

function addressColumn(name: string, type: string): Column {
  return {
    name,
    type: "string",
    priority: 1,
    cell(object) {
      const found = listAt(objectAt(object, "status"), "addresses").find(
        (one) => isJsonObject(one) && textAt(one, "type") === type,
      );
      return isJsonObject(found) ? textAt(found, "address") : "<none>";
    },
  };
}

function checkTaints(spec: JsonObject, errors: Errors): void {
  const seen = new Set<string>();
  // kube-apiserver names "metadata" for this field of the spec.
  for (const [taint, at] of entriesAt(spec, "taints", "metadata")) {
    const [key, value, effect] = ["key", "value", "effect"].map((name) => textAt(taint, name));
    if (key === undefined || value === undefined || effect === undefined) continue;
    checkName(key, qualifiedName, `${at}.key`, errors);
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(invalid(`${at}.value`, value, problems.join(";")));
    if (effect === "") errors.push(required(`${at}.effect`));
    else if (!effects.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, effects));
    const both = `${effect} ${key}`;
    if (seen.has(both))
      errors.push({
        ...duplicate(at, taint),
        detail: "taints must be unique by key and effect pair",
      });
    seen.add(both);
  }
}

function checkPodCidrs(ranges: readonly string[], errors: Errors): void {
  for (const [index, range] of ranges.entries()) checkName(range, addressRange, `spec.podCIDRs[${index}]`, errors);
  if (ranges.length < 2) return;
  const families = ranges.map((range) => parseRange(range)?.family);
  const isBroken = families.includes(undefined);
  if (isBroken) errors.push({ type: "Internal", field: "spec.podCIDRs", detail: "invalid PodCIDRs" });
  if (ranges.length > 2 || isBroken || families[0] === families[1])
    errors.push(invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family"));
}

function checkResourceLists(status: JsonObject, errors: Errors): void {
  for (const key of ["capacity", "allocatable"])
    for (const [name, value] of Object.entries(objectAt(status, key)))
      checkQuantity(name, value, `status.${key}.${name}`, errors);
}

function checkSwap(status: JsonObject, errors: Errors): void {
  const swap = optionalNumber(objectAt(objectAt(status, "nodeInfo"), "swap"), "capacity");
  if (swap !== undefined && swap <= 0)
    errors.push(invalid("metadata.nodeSwapStatus.capacity", swap, "must be greater than 0"));
}

/** Declared features are sorted and unique. */
function checkFeatures(status: JsonObject, errors: Errors): void {
  const features = textsAt(status, "declaredFeatures");
  for (const [index, feature] of features.entries()) {
    const at = `status.declaredFeatures[${index}]`;
    if (feature.length > 253) errors.push(invalid(at, feature, "must be no more than 253 characters"));
    else if (!/^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature))
      errors.push(invalid(at, feature, "must be a feature name such as MyFeature or MyFeature/mySubFeature"));
    const before = features[index - 1];
    if (before === feature) errors.push(duplicate(at, feature));
    else if (before !== undefined && before > feature)
      errors.push(invalid(at, feature, "list must be sorted alphabetically"));
  }
}

function checkChanged(object: JsonObject, old: JsonObject, errors: Errors): void {
  const addresses = new Set<string>();
  for (const [entry, at] of entriesAt(objectAt(object, "status"), "addresses", "status")) {
    const key = `${textAt(entry, "type")} ${textAt(entry, "address")}`;
    if (addresses.has(key)) errors.push(duplicate(at, entry));
    addresses.add(key);
  }
  const [spec, before] = [objectAt(object, "spec"), objectAt(old, "spec")];
  const kept = (what: string): string => `node updates may not change ${what} except from "" to valid`;
  const [ranges, earlier] = [textsAt(spec, "podCIDRs"), textsAt(before, "podCIDRs")];
  if (earlier.length > 0 && !deepEqual(ranges, earlier)) errors.push(forbidden("spec.podCIDRs", kept("podCIDR")));
  if (textAt(before, "providerID") !== "" && textAt(spec, "providerID") !== textAt(before, "providerID"))
    errors.push(forbidden("spec.providerID", kept("providerID")));
  if (textAt(spec, "externalID") !== textAt(before, "externalID"))
    errors.push(forbidden("spec.externalID", "may not be updated"));
}

import { deepEqual } from "@kubewright/core/json";
import { duplicate, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import type { Node, NodeSpec, NodeStatus, NodeSystemInfo } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { childDraft, drop } from "../../draft.js";
import { labelValue, qualifiedName, subdomainName } from "../../name-rules.js";
import type { Column, Strategy } from "../../strategy.js";
import {
  checkName,
  checkQuantity,
  cidrValue,
  cidrWarnings,
  type Errors,
  entriesAt,
  parseCidr,
} from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const rolePrefix = "node-role.kubernetes.io/";

/** Node. */
export const nodeStrategy: Strategy<Node> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const status = childDraft(draft, "status");
    if (status.capacity) status.allocatable ??= { ...status.capacity };
    for (const handler of status.runtimeHandlers ?? []) handler.name ??= "";
    const spec = childDraft(draft, "spec");
    const first = spec.podCIDRs?.[0];
    if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
    else if (first !== undefined) spec.podCIDR ||= first;
  },
  prepareForUpdate: keepOtherPart,
  // The fields of dynamic kubelet configuration, which Kubernetes removed, are not stored.
  canonicalize(draft) {
    if (draft.spec) drop(draft.spec, "configSource");
    if (draft.status) drop(draft.status, "config");
  },
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    const { spec = {}, status = {} } = object;
    checkTaints(spec, errors);
    checkResourceLists(status, errors);
    checkFeatures(status, errors);
    if (subresource !== "status") {
      checkSwap(status, errors);
      checkPodCidrs(spec, errors);
    }
    if (old) checkChanged(object, old, errors);
    return errors;
  },
  warn: ({ spec = {} }) => [
    ...(spec.externalID ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"] : []),
    ...entriesAt(spec, "podCIDRs", "spec").flatMap(([range, at]) => cidrWarnings(at, range)),
  ],
  selectableFields: {
    "spec.unschedulable": (object) => String(object.spec?.unschedulable ?? false),
  },
  table: {
    columns: [
      nameColumn,
      { name: "Status", type: "string", cell: printStatus },
      { name: "Roles", type: "string", cell: printRoles },
      ageColumn,
      { name: "Version", type: "string", cell: (object) => infoOf(object).kubeletVersion ?? "" },
      addressColumn("Internal-IP", "InternalIP"),
      addressColumn("External-IP", "ExternalIP"),
      { name: "OS-Image", type: "string", priority: 1, cell: (object) => infoOf(object).osImage || "<unknown>" },
      {
        name: "Kernel-Version",
        type: "string",
        priority: 1,
        cell(object) {
          const { architecture, kernelVersion } = infoOf(object);
          const version = kernelVersion || "<unknown>";
          return architecture ? `${version} (${architecture})` : version;
        },
      },
      {
        name: "Container-Runtime",
        type: "string",
        priority: 1,
        cell: (object) => infoOf(object).containerRuntimeVersion || "<unknown>",
      },
    ],
  },
};

function infoOf({ status }: Decoded<Node>): Decoded<NodeSystemInfo> {
  return status?.nodeInfo ?? {};
}

function printStatus({ spec, status }: Decoded<Node>): string {
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const printed = ready ? (ready.status === "True" ? "Ready" : "NotReady") : "Unknown";
  return spec?.unschedulable ? `${printed},SchedulingDisabled` : printed;
}

function printRoles({ metadata }: Decoded<Node>): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata?.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === "kubernetes.io/role" && value !== "") roles.add(value);
  }
  return [...roles].sort().join(",") || "<none>";
}

function addressColumn(name: string, type: string): Column<Node> {
  return {
    name,
    type: "string",
    priority: 1,
    cell({ status }) {
      const found = status?.addresses?.find((one) => one.type === type);
      return found ? (found.address ?? "") : "<none>";
    },
  };
}

function checkTaints(spec: Decoded<NodeSpec>, errors: Errors): void {
  const seen = new Set<string>();
  // kube-apiserver reports this field of the spec below "metadata".
  for (const [taint, at] of entriesAt(spec, "taints", "metadata")) {
    const { key = "", value = "", effect = "" } = taint;
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

function checkPodCidrs(spec: Decoded<NodeSpec>, errors: Errors): void {
  for (const [range, at] of entriesAt(spec, "podCIDRs", "spec")) checkName(range, cidrValue, at, errors);
  const ranges = spec.podCIDRs ?? [];
  if (ranges.length < 2) return;
  const families = ranges.map((range) => parseCidr(range)?.family);
  const isInvalid = families.includes(undefined);
  if (isInvalid) errors.push({ type: "Internal", field: "spec.podCIDRs", detail: "invalid PodCIDRs" });
  if (ranges.length > 2 || isInvalid || families[0] === families[1])
    errors.push(invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family"));
}

function checkResourceLists(status: Decoded<NodeStatus>, errors: Errors): void {
  for (const key of ["capacity", "allocatable"] as const)
    for (const [name, value] of Object.entries(status[key] ?? {}))
      checkQuantity(name, value, `status.${key}.${name}`, errors);
}

function checkSwap(status: Decoded<NodeStatus>, errors: Errors): void {
  const swap = status.nodeInfo?.swap?.capacity;
  if (swap !== undefined && swap <= 0)
    errors.push(invalid("metadata.nodeSwapStatus.capacity", swap, "must be greater than 0"));
}

/** Declared features are sorted and unique. */
function checkFeatures(status: Decoded<NodeStatus>, errors: Errors): void {
  const features = status.declaredFeatures ?? [];
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

function checkChanged({ spec = {}, status = {} }: Decoded<Node>, old: Decoded<Node>, errors: Errors): void {
  const addresses = new Set<string>();
  for (const [entry, at] of entriesAt(status, "addresses", "status")) {
    const key = `${entry.type ?? ""} ${entry.address ?? ""}`;
    if (addresses.has(key)) errors.push(duplicate(at, entry));
    addresses.add(key);
  }
  const before = old.spec ?? {};
  const notChangeable = (what: string): string => `node updates may not change ${what} except from "" to valid`;
  if (before.podCIDRs?.length && !deepEqual(spec.podCIDRs, before.podCIDRs))
    errors.push(forbidden("spec.podCIDRs", notChangeable("podCIDR")));
  if (before.providerID && spec.providerID !== before.providerID)
    errors.push(forbidden("spec.providerID", notChangeable("providerID")));
  if ((spec.externalID ?? "") !== (before.externalID ?? ""))
    errors.push(forbidden("spec.externalID", "may not be updated"));
}

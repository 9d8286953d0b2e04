import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import {
  childDraft,
  type Draft,
  isDraft,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  partAt,
  setMissing,
  textAt,
} from "../../draft.js";
import { dns1035Label, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, checkPortNumber, type Errors } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** APIService. Requests are not proxied to aggregated API servers. */
export const apiServiceStrategy: Strategy = {
  // The condition follows from the spec.
  nameRule: () => [],
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const service = childDraft(draft, "spec")["service"];
    if (isDraft(service)) setMissing(service, "port", 443);
  },
  prepareForCreate(draft) {
    draft["status"] = partAt(objectAt(draft, "spec"), "service")
      ? {}
      : availableLocally(textAt(metadataOf(draft), "creationTimestamp"));
  },
  prepareForUpdate: keepOtherPart,
  validate(object, _old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkSpec(textAt(metadataOf(object), "name"), objectAt(object, "spec"), errors);
    return errors;
  },
  table: {
    columns: [
      nameColumn,
      { name: "Service", type: "string", cell: printService },
      { name: "Available", type: "string", cell: printAvailable },
      ageColumn,
    ],
  },
};

function availableLocally(time: string): Draft {
  return {
    conditions: [
      {
        type: "Available",
        status: "True",
        lastTransitionTime: time,
        reason: "Local",
        message: "Local APIServices are always available",
      },
    ],
  };
}

function printService(object: JsonObject): string {
  const service = partAt(objectAt(object, "spec"), "service");
  return service ? `${textAt(service, "namespace")}/${textAt(service, "name")}` : "Local";
}

function printAvailable(object: JsonObject): string {
  const found = listAt(objectAt(object, "status"), "conditions").find(
    (one) => isJsonObject(one) && textAt(one, "type") === "Available",
  );
  if (!isJsonObject(found)) return "Unknown";
  const status = textAt(found, "status");
  return status === "False" ? `False (${textAt(found, "reason")})` : status;
}

function checkSpec(name: string, spec: JsonObject, errors: Errors): void {
  const [group, version] = [textAt(spec, "group"), textAt(spec, "version")];
  if (name !== `${version}.${group}`)
    errors.push(invalid("metadata.name", name, `must be \`spec.version+"."+spec.group\`: "${version}.${group}"`));
  if (group === "" && version !== "v1")
    errors.push(required("spec.group", "only v1 may have an empty group and it better be legacy kube"));
  if (group !== "") checkName(group, subdomainName, "spec.group", errors);
  checkName(version, dns1035Label, "spec.version", errors);
  for (const [key, highest] of [
    ["groupPriorityMinimum", 20_000],
    ["versionPriority", 1_000],
  ] as const) {
    const value = numberAt(spec, key);
    if (value <= 0 || value > highest)
      errors.push(invalid(`spec.${key}`, value, `must be positive and less than ${highest}`));
  }
  checkTarget(spec, errors);
}

function checkTarget(spec: JsonObject, errors: Errors): void {
  const service = partAt(spec, "service");
  const bundle = Buffer.from(textAt(spec, "caBundle"), "base64").length;
  const isInsecure = spec["insecureSkipTLSVerify"] === true;
  if (!service) {
    if (bundle > 0)
      errors.push(invalid("spec.caBundle", `${bundle} bytes`, "local APIServices may not have a caBundle"));
    if (isInsecure)
      errors.push(invalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify"));
    return;
  }
  for (const key of ["namespace", "name"])
    if (textAt(service, key) === "") errors.push(required(`spec.service.${key}`));
  const port = numberAt(service, "port");
  const problems: Errors = [];
  checkPortNumber(port, "spec.service.port", problems);
  for (const { detail } of problems) errors.push(invalid("spec.service.port", port, `port is not valid: ${detail}`));
  if (isInsecure && bundle > 0)
    errors.push(invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present"));
}

/** The groupPriorityMinimum of API groups; others come last. */
const groupPriorities: Readonly<Record<string, number>> = {
  "": 18_000,
  apps: 17_800,
  "events.k8s.io": 17_750,
  "authentication.k8s.io": 17_700,
  "authorization.k8s.io": 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  "certificates.k8s.io": 17_300,
  "networking.k8s.io": 17_200,
  policy: 17_100,
  "rbac.authorization.k8s.io": 17_000,
  "storage.k8s.io": 16_800,
  "apiextensions.k8s.io": 16_700,
  "admissionregistration.k8s.io": 16_700,
  "scheduling.k8s.io": 16_600,
  "coordination.k8s.io": 16_500,
  "node.k8s.io": 16_300,
  "discovery.k8s.io": 16_200,
  "resource.k8s.io": 16_200,
  "flowcontrol.apiserver.k8s.io": 16_100,
};

/** The versionPriority of versions, where it is not the default. */
const versionPriorities: Readonly<Record<string, number>> = {
  "v1.": 1,
  "v2.autoscaling": 30,
  "v1.flowcontrol.apiserver.k8s.io": 21,
  "v1.resource.k8s.io": 21,
};

/** The APIServices of a fresh server. `time` is now. */
export function localApiServices(
  served: Iterable<{ readonly group: string; readonly version: string }>,
  time: string,
): Draft[] {
  const made = new Map<string, Draft>();
  for (const { group, version } of served) {
    const name = `${version}.${group}`;
    if (made.has(name) || group === "apiregistration.k8s.io") continue;
    made.set(name, {
      metadata: { name, labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
      spec: {
        ...(group === "" ? {} : { group }),
        version,
        groupPriorityMinimum: groupPriorities[group] ?? 1_000,
        versionPriority: versionPriorities[name] ?? 15,
      },
      status: availableLocally(time),
    });
  }
  return [...made.values()];
}

import { invalid, required } from "@kubewright/core/schema";
import type { APIService, APIServiceSpec, APIServiceStatus } from "kubewright/k8s/apiregistration/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { dns1035Label, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import { checkName, checkPortNumber, checkPresent, type Errors } from "../../validation/index.js";
import { keepOtherPart } from "../spec-and-status.js";

/** APIService. Requests are not proxied to aggregated API servers. */
export const apiServiceStrategy: Strategy<APIService> = {
  // Validated with the spec, which determines the name.
  nameRule: () => [],
  allowUnconditionalUpdate: false,
  applyDefaults(draft) {
    const service = draft.spec?.service;
    if (service) service.port ??= 443;
  },
  prepareForCreate(draft) {
    draft.status = draft.spec?.service ? {} : availableLocally(draft.metadata?.creationTimestamp ?? "");
  },
  prepareForUpdate: keepOtherPart,
  validate(object, _old, { subresource }) {
    if (subresource === "status") return [];
    const errors: Errors = [];
    checkSpec(object.metadata?.name ?? "", object.spec ?? {}, errors);
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

function availableLocally(time: string): Drafted<APIServiceStatus> {
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

function printService(object: Decoded<APIService>): string {
  const service = object.spec?.service;
  return service ? `${service.namespace}/${service.name}` : "Local";
}

function printAvailable(object: Decoded<APIService>): string {
  const condition = object.status?.conditions?.find((one) => one.type === "Available");
  const { status = "", reason = "" } = condition ?? { status: "Unknown" };
  return status === "False" ? `False (${reason})` : status;
}

function checkSpec(name: string, spec: Decoded<APIServiceSpec>, errors: Errors): void {
  const { group = "", version = "" } = spec;
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
    const value = spec[key] ?? 0;
    if (value <= 0 || value > highest)
      errors.push(invalid(`spec.${key}`, value, `must be positive and less than ${highest}`));
  }
  checkTarget(spec, errors);
}

function checkTarget(spec: Decoded<APIServiceSpec>, errors: Errors): void {
  const { service, caBundle = "", insecureSkipTLSVerify: isInsecure = false } = spec;
  const bundle = Buffer.from(caBundle, "base64").length;
  if (!service) {
    if (bundle > 0)
      errors.push(invalid("spec.caBundle", `${bundle} bytes`, "local APIServices may not have a caBundle"));
    if (isInsecure)
      errors.push(invalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify"));
    return;
  }
  checkPresent(service, ["namespace", "name"], "spec.service", errors);
  const { port = 0 } = service;
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

/** The versionPriority of versions that do not have the default. */
const versionPriorities: Readonly<Record<string, number>> = {
  "v1.": 1,
  "v2.autoscaling": 30,
  "v1.flowcontrol.apiserver.k8s.io": 21,
  "v1.resource.k8s.io": 21,
};

/** The local APIServices of a new cluster. `time` is the current time. */
export function localApiServices(
  served: Iterable<{ readonly group: string; readonly version: string }>,
  time: string,
): Drafted<APIService>[] {
  const created = new Map<string, Drafted<APIService>>();
  for (const { group, version } of served) {
    const name = `${version}.${group}`;
    if (created.has(name) || group === "apiregistration.k8s.io") continue;
    created.set(name, {
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
  return [...created.values()];
}

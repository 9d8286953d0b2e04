import type { JsonObject } from "@kubewright/core/json";
import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, optionalNumber, partAt, textAt, textsAt } from "../../../draft.js";
import { labelName, subdomainName } from "../../../name-rules.js";
import { checkAnnotations, checkLabels } from "../../../object-meta.js";
import {
  checkEnum,
  checkName,
  checkOptionalName,
  checkRange,
  checkResources,
  type Errors,
  entriesAt,
  ipAddress,
} from "../../../validation/index.js";
import { checkAffinity } from "./check-affinity.js";
import { checkContainers } from "./check-containers.js";
import { checkPodClaims, checkPodResources } from "./check-pod-resources.js";
import { checkGates, checkTolerations, checkTopologySpread } from "./check-scheduling.js";
import { checkHostUsers, checkPodSecurityContext } from "./check-security.js";
import { checkVolumes } from "./check-volumes.js";
import { allContainers, checkHostProcess, checkSystem } from "./check-windows.js";

/** Validates a pod template. */
export function checkPodTemplate(template: JsonObject, field: string, errors: Errors): void {
  const metadata = objectAt(template, "metadata");
  // kube-apiserver omits `metadata` from these paths.
  errors.push(...checkLabels(objectAt(metadata, "labels"), `${field}.labels`));
  errors.push(...checkAnnotations(objectAt(metadata, "annotations"), `${field}.annotations`));
  const spec = objectAt(template, "spec");
  checkPodSpec(spec, `${field}.spec`, { podName: "", isPod: false, errors });
  if (listAt(spec, "ephemeralContainers").length > 0)
    errors.push(forbidden(`${field}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template"));
}

/** Where a pod spec stands. */
export interface PodSpecContext {
  /** Empty for templates. */
  readonly podName: string;
  readonly isPod: boolean;
  readonly errors: Errors;
}

/** Validates the spec of a pod or of a pod template. */
export function checkPodSpec(spec: JsonObject, field: string, context: PodSpecContext): void {
  const { isPod, errors } = context;
  const volumes = checkVolumes(spec, field, context);
  const claims = checkPodClaims(spec, field, errors);
  checkContainers(spec, field, {
    volumes,
    claims,
    graceSeconds: optionalNumber(spec, "terminationGracePeriodSeconds"),
    restartPolicy: textAt(spec, "restartPolicy"),
    sharesUsers: spec["hostUsers"] !== false,
    errors,
  });
  checkPodResources(spec, field, { claims, errors });
  checkHostNetworkPorts(spec, field, isPod, errors);
  checkEnum(textAt(spec, "restartPolicy"), ["Always", "OnFailure", "Never"], `${field}.restartPolicy`, errors);
  const policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
  checkEnum(textAt(spec, "dnsPolicy"), policies, `${field}.dnsPolicy`, errors);
  errors.push(...checkLabels(objectAt(spec, "nodeSelector"), `${field}.nodeSelector`));
  checkPodSecurityContext(spec, field, errors);
  const affinity = partAt(spec, "affinity");
  if (affinity !== undefined) checkAffinity(affinity, `${field}.affinity`, errors);
  checkDns(spec, field, errors);
  checkGates(spec, field, errors);
  checkTopologySpread(spec, field, errors);
  checkHostProcess(spec, field, errors);
  checkHostUsers(spec, field, errors);
  checkNames(spec, field, errors);
  checkRest(spec, field, errors);
}

function checkHostNetworkPorts(spec: JsonObject, field: string, isPod: boolean, errors: Errors): void {
  if (spec["hostNetwork"] !== true) return;
  for (const [container, at] of entriesAt(spec, "containers", field))
    for (const [port, place] of entriesAt(container, "ports", at)) {
      const host = numberAt(port, "hostPort");
      if ((isPod || host !== 0) && host !== numberAt(port, "containerPort"))
        errors.push(invalid(`${place}.hostPort`, host, "must match `containerPort` when `hostNetwork` is true"));
    }
}

function checkDns(spec: JsonObject, field: string, errors: Errors): void {
  const config = partAt(spec, "dnsConfig");
  const at = `${field}.dnsConfig`;
  if (textAt(spec, "dnsPolicy") === "None") {
    if (config === undefined)
      return void errors.push(required(at, "must provide `dnsConfig` when `dnsPolicy` is None"));
    if (listAt(config, "nameservers").length === 0)
      return void errors.push(
        required(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
      );
  }
  if (config === undefined) return;
  const servers = textsAt(config, "nameservers");
  if (servers.length > 3) errors.push(invalid(`${at}.nameservers`, servers, "must not have more than 3 nameservers"));
  for (const [index, server] of servers.entries()) checkName(server, ipAddress, `${at}.nameservers[${index}]`, errors);
  const searches = textsAt(config, "searches");
  if (searches.length > 32) errors.push(invalid(`${at}.searches`, searches, "must not have more than 32 search paths"));
  if (searches.join(" ").length > 2048)
    errors.push(
      invalid(
        `${at}.searches`,
        searches,
        "must not have more than 2048 characters (including spaces) in the search list",
      ),
    );
  for (const [index, search] of searches.entries())
    if (search !== ".") checkName(search.replace(/\.$/, ""), searchDomain, `${at}.searches[${index}]`, errors);
  for (const [option, place] of entriesAt(config, "options", at))
    if (textAt(option, "name") === "") errors.push(required(place, "must not be empty"));
}

const searchFormat = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";
const searchPattern = new RegExp(`^${searchFormat}$`);

/** A DNS search domain; underscores are allowed. */
function searchDomain(value: string): readonly string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(value) > 253) problems.push("must be no more than 253 characters");
  if (!searchPattern.test(value))
    problems.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${searchFormat}')`,
    );
  return problems;
}

function checkNames(spec: JsonObject, field: string, errors: Errors): void {
  const name = spec["hostnameOverride"];
  if (typeof name === "string") {
    const at = `${field}.hostnameOverride`;
    if (spec["setHostnameAsFQDN"] === true)
      errors.push(forbidden(at, "may not be specified when setHostnameAsFQDN is true"));
    if (spec["hostNetwork"] === true) errors.push(forbidden(at, "may not be specified when hostNetwork is true"));
    if (Buffer.byteLength(name) > 64) errors.push(tooLong(at, 64));
    checkName(name, subdomainName, at, errors);
  }
  for (const key of ["serviceAccountName", "nodeName"])
    checkOptionalName(spec, key, { rule: subdomainName, field, errors });
  checkRange(optionalNumber(spec, "activeDeadlineSeconds"), {
    min: 1,
    max: 2147483647,
    field: `${field}.activeDeadlineSeconds`,
    errors,
  });
  for (const key of ["hostname", "subdomain"]) checkOptionalName(spec, key, { rule: labelName, field, errors });
}

function checkRest(spec: JsonObject, field: string, errors: Errors): void {
  checkTolerations(spec, field, errors);
  for (const [alias, at] of entriesAt(spec, "hostAliases", field)) {
    checkName(textAt(alias, "ip"), ipAddress, `${at}.ip`, errors);
    for (const [index, name] of textsAt(alias, "hostnames").entries())
      checkName(name, subdomainName, `${at}.hostnames[${index}]`, errors);
  }
  checkOptionalName(spec, "priorityClassName", { rule: subdomainName, field, errors });
  const runtime = spec["runtimeClassName"];
  if (typeof runtime === "string") checkName(runtime, subdomainName, `${field}.runtimeClassName`, errors);
  const preemption = spec["preemptionPolicy"];
  if (typeof preemption === "string")
    checkEnum(preemption, ["PreemptLowerPriority", "Never"], `${field}.preemptionPolicy`, errors);
  const overhead: JsonObject = { limits: objectAt(spec, "overhead") };
  checkResources(overhead, `${field}.overhead`, { claims: new Set(), errors });
  checkSystem(spec, field, errors);
  checkFileVolumes(spec, field, errors);
}

/** A fileKeyRef must name an emptyDir volume of the pod. */
function checkFileVolumes(spec: JsonObject, field: string, errors: Errors): void {
  const volumes = new Map(entriesAt(spec, "volumes", field).map(([volume]) => [textAt(volume, "name"), volume]));
  for (const [container, at] of allContainers(spec, field))
    for (const [variable, place] of entriesAt(container, "env", at)) {
      const file = partAt(partAt(variable, "valueFrom") ?? {}, "fileKeyRef");
      if (file === undefined) continue;
      const name = textAt(file, "volumeName");
      const volume = volumes.get(name);
      const where = `${place}.valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) errors.push({ type: "NotFound", field: where, badValue: name, detail: "" });
      else if (partAt(volume, "emptyDir") === undefined)
        errors.push(invalid(where, name, "referenced volume must be of type emptyDir"));
    }
}

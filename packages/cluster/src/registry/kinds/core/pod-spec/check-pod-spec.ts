import { forbidden, invalid, required, tooLong } from "@kubewright/core/schema";
import type { PodSpec, PodTemplateSpec } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
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
import { checkPodResources, checkResourceClaims } from "./check-pod-resources.js";
import { checkGates, checkTolerations, checkTopologySpread } from "./check-scheduling.js";
import { checkHostUsers, checkPodSecurityContext } from "./check-security.js";
import { checkVolumes } from "./check-volumes.js";
import { allContainers, checkHostProcess, checkOs } from "./check-windows.js";

/** Validates a pod template. */
export function checkPodTemplate(template: Decoded<PodTemplateSpec>, field: string, errors: Errors): void {
  const { metadata = {}, spec = {} } = template;
  // kube-apiserver omits `metadata` from these paths.
  errors.push(...checkLabels(metadata.labels ?? {}, `${field}.labels`));
  errors.push(...checkAnnotations(metadata.annotations ?? {}, `${field}.annotations`));
  checkPodSpec(spec, `${field}.spec`, { podName: "", isPod: false, errors });
  if (spec.ephemeralContainers?.length)
    errors.push(forbidden(`${field}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template"));
}

/** The context of a pod spec. */
export interface PodSpecContext {
  /** Empty for templates. */
  readonly podName: string;
  readonly isPod: boolean;
  readonly errors: Errors;
}

/** Validates the spec of a pod or of a pod template. */
export function checkPodSpec(spec: Decoded<PodSpec>, field: string, context: PodSpecContext): void {
  const { isPod, errors } = context;
  const { restartPolicy = "", dnsPolicy = "", affinity } = spec;
  const volumes = checkVolumes(spec, field, context);
  const claims = checkResourceClaims(spec, field, errors);
  checkContainers(spec, field, {
    volumes,
    claims,
    graceSeconds: spec.terminationGracePeriodSeconds,
    restartPolicy,
    usesHostUsers: spec.hostUsers !== false,
    errors,
  });
  checkPodResources(spec, field, { claims, errors });
  checkHostNetworkPorts(spec, field, isPod, errors);
  checkEnum(restartPolicy, ["Always", "OnFailure", "Never"], `${field}.restartPolicy`, errors);
  const policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
  checkEnum(dnsPolicy, policies, `${field}.dnsPolicy`, errors);
  errors.push(...checkLabels(spec.nodeSelector ?? {}, `${field}.nodeSelector`));
  checkPodSecurityContext(spec, field, errors);
  if (affinity !== undefined) checkAffinity(affinity, `${field}.affinity`, errors);
  checkDns(spec, field, errors);
  checkGates(spec, field, errors);
  checkTopologySpread(spec, field, errors);
  checkHostProcess(spec, field, errors);
  checkHostUsers(spec, field, errors);
  checkNames(spec, field, errors);
  checkOtherFields(spec, field, errors);
}

function checkHostNetworkPorts(spec: Decoded<PodSpec>, field: string, isPod: boolean, errors: Errors): void {
  if (!spec.hostNetwork) return;
  for (const [container, at] of entriesAt(spec, "containers", field))
    for (const [{ hostPort = 0, containerPort = 0 }, place] of entriesAt(container, "ports", at))
      if ((isPod || hostPort !== 0) && hostPort !== containerPort)
        errors.push(invalid(`${place}.hostPort`, hostPort, "must match `containerPort` when `hostNetwork` is true"));
}

function checkDns({ dnsConfig: config, dnsPolicy }: Decoded<PodSpec>, field: string, errors: Errors): void {
  const at = `${field}.dnsConfig`;
  if (dnsPolicy === "None") {
    if (config === undefined)
      return void errors.push(required(at, "must provide `dnsConfig` when `dnsPolicy` is None"));
    if (!config.nameservers?.length)
      return void errors.push(
        required(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
      );
  }
  if (config === undefined) return;
  const { nameservers: servers = [], searches = [] } = config;
  if (servers.length > 3) errors.push(invalid(`${at}.nameservers`, servers, "must not have more than 3 nameservers"));
  for (const [index, server] of servers.entries()) checkName(server, ipAddress, `${at}.nameservers[${index}]`, errors);
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
    if (!option.name) errors.push(required(place, "must not be empty"));
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

function checkNames(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const { hostnameOverride, activeDeadlineSeconds } = spec;
  if (hostnameOverride !== undefined) {
    const at = `${field}.hostnameOverride`;
    if (spec.setHostnameAsFQDN) errors.push(forbidden(at, "may not be specified when setHostnameAsFQDN is true"));
    if (spec.hostNetwork) errors.push(forbidden(at, "may not be specified when hostNetwork is true"));
    if (Buffer.byteLength(hostnameOverride) > 64) errors.push(tooLong(at, 64));
    checkName(hostnameOverride, subdomainName, at, errors);
  }
  for (const key of ["serviceAccountName", "nodeName"] as const)
    checkOptionalName(spec, key, { rule: subdomainName, field, errors });
  checkRange(activeDeadlineSeconds, { min: 1, max: 2147483647, field: `${field}.activeDeadlineSeconds`, errors });
  for (const key of ["hostname", "subdomain"] as const)
    checkOptionalName(spec, key, { rule: labelName, field, errors });
}

function checkOtherFields(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const { runtimeClassName, preemptionPolicy, overhead } = spec;
  checkTolerations(spec, field, errors);
  for (const [{ ip = "", hostnames = [] }, at] of entriesAt(spec, "hostAliases", field)) {
    checkName(ip, ipAddress, `${at}.ip`, errors);
    for (const [index, name] of hostnames.entries())
      checkName(name, subdomainName, `${at}.hostnames[${index}]`, errors);
  }
  checkOptionalName(spec, "priorityClassName", { rule: subdomainName, field, errors });
  if (runtimeClassName !== undefined) checkName(runtimeClassName, subdomainName, `${field}.runtimeClassName`, errors);
  if (preemptionPolicy !== undefined)
    checkEnum(preemptionPolicy, ["PreemptLowerPriority", "Never"], `${field}.preemptionPolicy`, errors);
  if (overhead !== undefined) checkResources({ limits: overhead }, `${field}.overhead`, { claims: new Set(), errors });
  checkOs(spec, field, errors);
  checkFileVolumes(spec, field, errors);
}

/** A fileKeyRef must reference an emptyDir volume of the pod. */
function checkFileVolumes(spec: Decoded<PodSpec>, field: string, errors: Errors): void {
  const volumes = new Map(spec.volumes?.map((volume) => [volume.name ?? "", volume]));
  for (const [container, at] of allContainers(spec, field))
    for (const [{ valueFrom }, place] of entriesAt(container, "env", at)) {
      if (valueFrom?.fileKeyRef === undefined) continue;
      const name = valueFrom.fileKeyRef.volumeName ?? "";
      const volume = volumes.get(name);
      const where = `${place}.valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) errors.push({ type: "NotFound", field: where, badValue: name, detail: "" });
      else if (!volume.emptyDir) errors.push(invalid(where, name, "referenced volume must be of type emptyDir"));
    }
}

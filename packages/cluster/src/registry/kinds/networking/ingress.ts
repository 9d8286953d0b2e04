import { invalid, notSupported, required } from "@kubewright/core/schema";
import type { TypedLocalObjectReference } from "kubewright/k8s/core/v1";
import type {
  HTTPIngressRuleValue,
  Ingress,
  IngressBackend,
  IngressServiceBackend,
  IngressSpec,
} from "kubewright/k8s/networking/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { dns1035Label, labelName, type NameRule, pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  checkName,
  checkPortNumber,
  checkRequiredName,
  type Errors,
  entriesAt,
  parseAddress,
  portName,
} from "../../validation/index.js";
import {
  checkLoadBalancerStatus,
  loadBalancerWarnings,
  printLoadBalancerStatus,
} from "../core/service/load-balancer-status.js";
import { keepOtherPart, specChanged } from "../spec-and-status.js";

const classAnnotation = "kubernetes.io/ingress.class";
const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const wildcard = `\\*\\.${label}(\\.${label})*`;
const wildcardPattern = new RegExp(`^${wildcard}$`);

const wildcardName: NameRule = (value) =>
  wildcardPattern.test(value)
    ? []
    : [
        `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`,
      ];

/** Ingress. */
export const ingressStrategy: Strategy<Ingress> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepOtherPart,
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") {
      checkLoadBalancerStatus(object.status?.loadBalancer ?? {}, errors);
      return errors;
    }
    const spec = object.spec ?? {};
    checkSpec(spec, hadInvalidPath(old?.spec?.rules), errors);
    const annotated = object.metadata?.annotations?.[classAnnotation];
    const name = spec.ingressClassName;
    if (!old && annotated !== undefined && name !== undefined && annotated !== name)
      errors.push(
        invalid(`annotations.${classAnnotation}`, annotated, "must match `ingressClassName` when both are specified"),
      );
    return errors;
  },
  warn: (object, old) =>
    !old && object.metadata?.annotations?.[classAnnotation] !== undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  warnStatus: loadBalancerWarnings,
  table: {
    columns: [
      nameColumn,
      { name: "Class", type: "string", cell: ({ spec }) => spec?.ingressClassName ?? "<none>" },
      { name: "Hosts", type: "string", cell: printHosts },
      { name: "Address", type: "string", cell: ({ status }) => printLoadBalancerStatus(status?.loadBalancer) },
      { name: "Ports", type: "string", cell: ({ spec }) => (spec?.tls?.length ? "80, 443" : "80") },
      ageColumn,
    ],
  },
};

function printHosts({ spec }: Decoded<Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let isTruncated = false;
  for (const { host } of rules) {
    isTruncated ||= hosts.length === 3;
    if (!isTruncated && host) hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return isTruncated ? `${hosts.join(",")} + ${rules.length - 3} more...` : hosts.join(",");
}

function checkHost(host: string, field: string, errors: Errors): void {
  checkName(host, host.includes("*") ? wildcardName : subdomainName, field, errors);
}

/** Ratcheting: older versions did not validate the paths of wildcard hosts, so an update may keep invalid ones. */
function hadInvalidPath(rules: Decoded<IngressSpec>["rules"] = []): boolean {
  return rules.some(({ host, http }) => {
    if (!http || !host?.includes("*")) return false;
    const errors: Errors = [];
    checkPaths(http, "http", errors);
    // Older versions required RFC 1035 labels as Service names.
    const services = http.paths?.map(({ backend }) => backend?.service?.name);
    return errors.length > 0 || services?.some((name) => name && dns1035Label(name).length > 0) === true;
  });
}

function checkSpec(spec: Decoded<IngressSpec>, allowsAnyPath: boolean, errors: Errors): void {
  const { defaultBackend: backend, ingressClassName } = spec;
  if (!spec.rules?.length && !backend)
    errors.push(invalid("spec", null, "either `defaultBackend` or `rules` must be specified"));
  if (backend) checkBackend(backend, "spec.defaultBackend", errors);
  for (const [{ host = "", http }, at] of entriesAt(spec, "rules", "spec")) {
    if (host !== "") {
      if (parseAddress(host)) errors.push(invalid(`${at}.host`, host, "must be a DNS name, not an IP address"));
      checkHost(host, `${at}.host`, errors);
    }
    if (host.includes("*") && allowsAnyPath) continue;
    if (http) checkPaths(http, `${at}.http`, errors);
  }
  for (const [tls, at] of entriesAt(spec, "tls", "spec")) {
    for (const [host, place] of entriesAt(tls, "hosts", at)) checkHost(host, place, errors);
    if (tls.secretName) checkName(tls.secretName, subdomainName, `${at}.secretName`, errors);
  }
  if (ingressClassName !== undefined) checkName(ingressClassName, subdomainName, "spec.ingressClassName", errors);
}

function checkPaths(http: Decoded<HTTPIngressRuleValue>, field: string, errors: Errors): void {
  if (!http.paths?.length) errors.push(required(`${field}.paths`));
  for (const [{ path = "", pathType, backend = {} }, at] of entriesAt(http, "paths", field)) {
    // Null if unset.
    if (typeof pathType !== "string") {
      errors.push(required(`${at}.pathType`, "pathType must be specified"));
      continue;
    }
    checkPath(path, pathType, at, errors);
    checkBackend(backend, `${at}.backend`, errors);
  }
}

function checkPath(path: string, type: string, at: string, errors: Errors): void {
  if (type !== "Exact" && type !== "Prefix" && type !== "ImplementationSpecific")
    return void errors.push(notSupported(`${at}.pathType`, type, ["Exact", "ImplementationSpecific", "Prefix"]));
  const isImplementationSpecific = type === "ImplementationSpecific";
  if (!path.startsWith("/") && !(isImplementationSpecific && path === ""))
    errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
  if (isImplementationSpecific) return;
  for (const part of ["//", "/./", "/../", "%2f", "%2F"])
    if (path.includes(part)) errors.push(invalid(`${at}.path`, path, `must not contain '${part}'`));
  for (const end of ["/..", "/."])
    if (path.endsWith(end)) errors.push(invalid(`${at}.path`, path, `cannot end with '${end}'`));
}

function checkBackend({ resource, service }: Decoded<IngressBackend>, field: string, errors: Errors): void {
  if (resource && service) errors.push(invalid(field, "", "cannot set both resource and service backends"));
  else if (resource) checkReference(resource, `${field}.resource`, errors);
  else if (service) checkServiceBackend(service, field, errors);
  else errors.push(invalid(field, "", "resource or service backend is required"));
}

function checkServiceBackend(service: Decoded<IngressServiceBackend>, field: string, errors: Errors): void {
  checkRequiredName(service.name ?? "", labelName, `${field}.service.name`, errors);
  const { name, number } = service.port ?? {};
  if (name && number) errors.push(invalid(field, "", "cannot set both port name & port number"));
  else if (name) checkName(name, portName, `${field}.service.port.name`, errors);
  else if (number) checkPortNumber(number, `${field}.service.port.number`, errors);
  else errors.push(required(field, "port name or number is required"));
}

/** Validates a TypedLocalObjectReference. */
export function checkReference(reference: Decoded<TypedLocalObjectReference>, field: string, errors: Errors): void {
  const { apiGroup, kind = "", name = "" } = reference;
  // Null if unset.
  if (typeof apiGroup === "string") checkName(apiGroup, subdomainName, `${field}.apiGroup`, errors);
  checkRequiredName(kind, pathSegmentName, `${field}.kind`, errors);
  checkRequiredName(name, pathSegmentName, `${field}.name`, errors);
}

import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, notSupported, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { listAt, metadataOf, numberAt, objectAt, partAt, textAt, textsAt } from "../../draft.js";
import { dns1035Label, labelName, type NameRule, pathSegmentName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  addressNumber,
  checkName,
  checkPortNumber,
  type Errors,
  entriesAt,
  entryPointWarnings,
  portName,
} from "../../validation/index.js";
import { checkEntryPoints } from "../core/service/check-service.js";
import { printEntryPoints } from "../core/service/service.js";
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
export const ingressStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  prepareForCreate(draft) {
    draft["status"] = {};
  },
  prepareForUpdate: keepOtherPart,
  isNewGeneration: specChanged,
  validate(object, old, { subresource }) {
    const errors: Errors = [];
    if (subresource === "status") {
      checkEntryPoints(objectAt(objectAt(object, "status"), "loadBalancer"), "status.loadBalancer", errors);
      return errors;
    }
    const spec = objectAt(object, "spec");
    checkSpec(spec, old !== undefined && hadWrongPath(objectAt(old, "spec")), errors);
    const annotated = objectAt(metadataOf(object), "annotations")[classAnnotation];
    const name = spec["ingressClassName"];
    if (!old && typeof annotated === "string" && typeof name === "string" && annotated !== name)
      errors.push(
        invalid(`annotations.${classAnnotation}`, annotated, "must match `ingressClassName` when both are specified"),
      );
    return errors;
  },
  warn: (object, old) =>
    !old && Object.hasOwn(objectAt(metadataOf(object), "annotations"), classAnnotation)
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  warnStatus: entryPointWarnings,
  table: {
    columns: [
      nameColumn,
      {
        name: "Class",
        type: "string",
        cell: (object) => objectAt(object, "spec")["ingressClassName"]?.toString() ?? "<none>",
      },
      { name: "Hosts", type: "string", cell: printHosts },
      { name: "Address", type: "string", cell: printEntryPoints },
      {
        name: "Ports",
        type: "string",
        cell: (object) => (listAt(objectAt(object, "spec"), "tls").length > 0 ? "80, 443" : "80"),
      },
      ageColumn,
    ],
  },
};

function printHosts(object: JsonObject): string {
  const rules = listAt(objectAt(object, "spec"), "rules");
  const hosts: string[] = [];
  let isCut = false;
  for (const rule of rules) {
    isCut ||= hosts.length === 3;
    const host = isJsonObject(rule) ? textAt(rule, "host") : "";
    if (!isCut && host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return isCut ? `${hosts.join(",")} + ${rules.length - 3} more...` : hosts.join(",");
}

function checkHost(host: string, field: string, errors: Errors): void {
  checkName(host, host.includes("*") ? wildcardName : subdomainName, field, errors);
}

/** Older versions did not validate wildcard hosts: an update may keep an invalid one. */
function hadWrongPath(before: JsonObject): boolean {
  return entriesAt(before, "rules", "spec").some(([rule]) => {
    const http = textAt(rule, "host").includes("*") ? partAt(rule, "http") : undefined;
    if (!http) return false;
    const errors: Errors = [];
    checkPaths(http, "http", errors);
    // Older versions allowed narrower Service names.
    const services = entriesAt(http, "paths", "http").map(([entry]) =>
      textAt(objectAt(objectAt(entry, "backend"), "service"), "name"),
    );
    return errors.length > 0 || services.some((name) => name !== "" && dns1035Label(name).length > 0);
  });
}

function checkSpec(spec: JsonObject, allowsAnyPath: boolean, errors: Errors): void {
  const backend = partAt(spec, "defaultBackend");
  if (listAt(spec, "rules").length === 0 && !backend)
    errors.push(invalid("spec", null, "either `defaultBackend` or `rules` must be specified"));
  if (backend) checkBackend(backend, "spec.defaultBackend", errors);
  for (const [rule, at] of entriesAt(spec, "rules", "spec")) {
    const host = textAt(rule, "host");
    if (host !== "") {
      if (addressNumber(host)) errors.push(invalid(`${at}.host`, host, "must be a DNS name, not an IP address"));
      checkHost(host, `${at}.host`, errors);
    }
    if (host.includes("*") && allowsAnyPath) continue;
    const http = partAt(rule, "http");
    if (http) checkPaths(http, `${at}.http`, errors);
  }
  for (const [tls, at] of entriesAt(spec, "tls", "spec")) {
    for (const [index, host] of textsAt(tls, "hosts").entries()) checkHost(host, `${at}.hosts[${index}]`, errors);
    if (textAt(tls, "secretName") !== "")
      checkName(textAt(tls, "secretName"), subdomainName, `${at}.secretName`, errors);
  }
  if (typeof spec["ingressClassName"] === "string")
    checkName(spec["ingressClassName"], subdomainName, "spec.ingressClassName", errors);
}

function checkPaths(http: JsonObject, field: string, errors: Errors): void {
  if (listAt(http, "paths").length === 0) errors.push(required(`${field}.paths`));
  for (const [entry, at] of entriesAt(http, "paths", field)) {
    const path = textAt(entry, "path");
    const type = entry["pathType"];
    if (typeof type !== "string") {
      errors.push(required(`${at}.pathType`, "pathType must be specified"));
      continue;
    }
    checkPath(path, type, at, errors);
    checkBackend(objectAt(entry, "backend"), `${at}.backend`, errors);
  }
}

function checkPath(path: string, type: string, at: string, errors: Errors): void {
  if (type !== "Exact" && type !== "Prefix" && type !== "ImplementationSpecific")
    return void errors.push(notSupported(`${at}.pathType`, type, ["Exact", "ImplementationSpecific", "Prefix"]));
  const isOwn = type === "ImplementationSpecific";
  if (!path.startsWith("/") && !(isOwn && path === ""))
    errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
  if (isOwn) return;
  for (const part of ["//", "/./", "/../", "%2f", "%2F"])
    if (path.includes(part)) errors.push(invalid(`${at}.path`, path, `must not contain '${part}'`));
  for (const end of ["/..", "/."])
    if (path.endsWith(end)) errors.push(invalid(`${at}.path`, path, `cannot end with '${end}'`));
}

function checkBackend(backend: JsonObject, field: string, errors: Errors): void {
  const [resource, service] = [partAt(backend, "resource"), partAt(backend, "service")];
  if (resource && service) errors.push(invalid(field, "", "cannot set both resource and service backends"));
  else if (resource) checkReference(resource, `${field}.resource`, errors);
  else if (service) checkServiceBackend(service, field, errors);
  else errors.push(invalid(field, "", "resource or service backend is required"));
}

function checkServiceBackend(service: JsonObject, field: string, errors: Errors): void {
  const name = textAt(service, "name");
  if (name === "") errors.push(required(`${field}.service.name`));
  else checkName(name, labelName, `${field}.service.name`, errors);
  const port = objectAt(service, "port");
  const [called, number] = [textAt(port, "name"), numberAt(port, "number")];
  if (called !== "" && number !== 0) errors.push(invalid(field, "", "cannot set both port name & port number"));
  else if (called !== "") checkName(called, portName, `${field}.service.port.name`, errors);
  else if (number !== 0) checkPortNumber(number, `${field}.service.port.number`, errors);
  else errors.push(required(field, "port name or number is required"));
}

/** Validates a TypedLocalObjectReference. */
export function checkReference(reference: JsonObject, field: string, errors: Errors): void {
  if (typeof reference["apiGroup"] === "string")
    checkName(reference["apiGroup"], subdomainName, `${field}.apiGroup`, errors);
  for (const key of ["kind", "name"]) {
    const value = textAt(reference, key);
    if (value === "") errors.push(required(`${field}.${key}`));
    else checkName(value, pathSegmentName, `${field}.${key}`, errors);
  }
}

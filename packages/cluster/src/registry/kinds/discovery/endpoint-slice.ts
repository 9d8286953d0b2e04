import { deepEqual } from "@kubewright/core/json";
import { duplicate, invalid, required, tooMany } from "@kubewright/core/schema";
import type { EndpointHints, EndpointSlice } from "kubewright/k8s/discovery/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded, Drafted } from "../../decoded.js";
import { drop } from "../../draft.js";
import { labelName, labelValue, qualifiedName, subdomainName } from "../../name-rules.js";
import { checkLabels } from "../../object-meta.js";
import { differsOutside } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  addressWarnings,
  canonicalAddress,
  checkEnum,
  checkName,
  checkNonSpecialIP,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  immutable,
  ipAddress,
  isIPv6Address,
} from "../../validation/index.js";
import { protocols } from "../core/service/check-service.js";
import { isManaged, printFirst } from "./managed-endpoints.js";

/** EndpointSlice. Its `endpoints`, `ports` and `addresses` are null if unset. */
export const endpointSliceStrategy: Strategy<EndpointSlice> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    for (const port of draft.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
  },
  prepareForCreate: dropTopology,
  // Unchanged endpoints keep deprecatedTopology.
  prepareForUpdate(draft, old) {
    if (!deepEqual(draft.endpoints, old.endpoints)) dropTopology(draft);
  },
  isNewGeneration: (object, old) =>
    differsOutside(object, old, ["metadata"]) || !deepEqual(object.metadata?.labels, old.metadata?.labels),
  validate(object, old) {
    const errors: Errors = [];
    const type = object.addressType ?? "";
    checkEnum(type, ["FQDN", "IPv4", "IPv6"], "addressType", errors);
    checkSlicePorts(object, errors);
    if (!old || !deepEqual(object.endpoints, old.endpoints)) checkEndpoints(object, errors);
    if (old && object.addressType !== old.addressType) errors.push(invalid("addressType", type, immutable));
    return errors;
  },
  warn: (object, old) => [
    ...(!old && object.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...(isManaged(object) ? [] : sliceWarnings(object)),
  ],
  table: {
    columns: [
      nameColumn,
      { name: "AddressType", type: "string", cell: ({ addressType = "" }) => addressType },
      {
        name: "Ports",
        type: "string",
        cell: ({ ports }) => printSome(ports?.map(({ port, name = "" }) => (port === undefined ? name : String(port)))),
      },
      {
        name: "Endpoints",
        type: "string",
        cell: ({ endpoints }) => printSome(endpoints?.flatMap(({ addresses }) => addresses ?? [])),
      },
      ageColumn,
    ],
  },
};

/** `deprecatedTopology` is read-only. */
function dropTopology(draft: Drafted<EndpointSlice>): void {
  for (const endpoint of draft.endpoints ?? []) drop(endpoint, "deprecatedTopology");
}

function sliceWarnings(object: Decoded<EndpointSlice>): string[] {
  return entriesAt(object, "endpoints")
    .flatMap(([endpoint, at]) => entriesAt(endpoint, "addresses", at))
    .flatMap(([address, at]) => addressWarnings(at, address));
}

function printSome(all: readonly string[] | undefined): string {
  return all?.length ? printFirst(all) : "<unset>";
}

function checkSlicePorts(object: Decoded<EndpointSlice>, errors: Errors): void {
  const ports = entriesAt(object, "ports");
  if (ports.length > 20_000) return void errors.push(tooMany("ports", ports.length, 20_000));
  const names = new Set<string>();
  for (const [{ name = "", protocol, appProtocol }, at] of ports) {
    if (name !== "") checkName(name, labelName, `${at}.name`, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkOptionalEnum(protocol, protocols, `${at}.protocol`, errors);
    if (appProtocol !== undefined) checkName(appProtocol, qualifiedName, `${at}.appProtocol`, errors);
  }
}

function checkEndpoints(object: Decoded<EndpointSlice>, errors: Errors): void {
  const endpoints = entriesAt(object, "endpoints");
  if (endpoints.length > 1_000) return void errors.push(tooMany("endpoints", endpoints.length, 1_000));
  for (const [endpoint, at] of endpoints) {
    const { nodeName, hostname } = endpoint;
    const addresses = entriesAt(endpoint, "addresses", at);
    if (addresses.length === 0) errors.push(required(`${at}.addresses`, "must contain at least 1 address"));
    else if (addresses.length > 100) errors.push(tooMany(`${at}.addresses`, addresses.length, 100));
    for (const [address, place] of addresses) checkAddress(address, object.addressType, place, errors);
    if (nodeName !== undefined) checkName(nodeName, subdomainName, `${at}.nodeName`, errors);
    errors.push(...checkLabels(endpoint.deprecatedTopology ?? {}, `${at}.deprecatedTopology`));
    if (hostname !== undefined) checkName(hostname, labelName, `${at}.hostname`, errors);
    checkHints(endpoint.hints ?? {}, `${at}.hints`, errors);
  }
}

function checkAddress(address: string, type: string | undefined, at: string, errors: Errors): void {
  if (type === "FQDN") checkDomain(address, at, errors);
  if (type !== "IPv4" && type !== "IPv6") return;
  const problems = (type === "IPv4" ? ipAddress : canonicalAddress)(address);
  for (const detail of problems) errors.push(invalid(at, address, detail));
  if (problems.length > 0) return;
  // In this error kube-apiserver reports the list, not the address.
  if (isIPv6Address(address) !== (type === "IPv6"))
    errors.push(invalid(at.replace(/\[\d+\]$/, ""), address, `must be an ${type} address`));
  errors.push(...checkNonSpecialIP(address, at));
}

/** A domain of at least two labels; a trailing dot is allowed. */
function checkDomain(address: string, field: string, errors: Errors): void {
  if (address === "") return void errors.push(required(field));
  const name = address.replace(/\.$/, "");
  const problems = subdomainName(name);
  if (problems.length > 0) return void errors.push(invalid(field, name, problems.join(",")));
  if (!name.includes("."))
    return void errors.push(invalid(field, name, "should be a domain with at least two segments separated by dots"));
  const invalidLabel = name.split(".").find((label) => labelName(label).length > 0);
  if (invalidLabel !== undefined) errors.push(invalid(field, invalidLabel, labelName(invalidLabel).join(",")));
}

function checkHints(hints: Decoded<EndpointHints>, field: string, errors: Errors): void {
  for (const [key, rule] of [
    ["forZones", labelValue],
    ["forNodes", subdomainName],
  ] as const) {
    const entries = entriesAt(hints, key, field);
    if (entries.length > 8) return void errors.push(tooMany(`${field}.${key}`, entries.length, 8));
    const names = new Set<string>();
    for (const [{ name = "" }, at] of entries) {
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
      checkName(name, rule, `${at}.name`, errors);
    }
  }
}

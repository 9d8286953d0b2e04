import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, required, tooMany } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { type Draft, draftsIn, listAt, metadataOf, objectAt, setMissing, textAt, textsAt } from "../../draft.js";
import { labelName, labelValue, qualifiedName, subdomainName } from "../../name-rules.js";
import { checkLabels } from "../../object-meta.js";
import { differsOutside } from "../../same-object.js";
import type { Strategy } from "../../strategy.js";
import {
  addressWarnings,
  checkEnum,
  checkName,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  immutable,
  ipAddress,
  isVersion6,
  specialAddress,
  strictAddress,
} from "../../validation/index.js";
import { protocols } from "../core/service/check-service.js";
import { isManaged, printFirst } from "./managed-endpoints.js";

function sliceWarnings(object: JsonObject): string[] {
  return [...entriesAt(object, "endpoints", "")].flatMap(([endpoint, place]) =>
    textsAt(endpoint, "addresses").flatMap((address, index) =>
      addressWarnings(`${place.slice(1)}.addresses[${index}]`, address),
    ),
  );
}

/** EndpointSlice. */
export const endpointSliceStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  applyDefaults(draft) {
    for (const port of draftsIn(draft["ports"])) {
      setMissing(port, "name", "");
      setMissing(port, "protocol", "TCP");
    }
  },
  prepareForCreate: dropTopology,
  // Endpoints that did not change keep the field.
  prepareForUpdate(draft, old) {
    if (!deepEqual(draft["endpoints"] ?? null, old["endpoints"] ?? null)) dropTopology(draft);
  },
  isNewGeneration: (object, old) =>
    differsOutside(object, old, ["metadata"]) ||
    !deepEqual(objectAt(metadataOf(object), "labels"), objectAt(metadataOf(old), "labels")),
  validate(object, old) {
    const errors: Errors = [];
    const type = textAt(object, "addressType");
    checkEnum(type, ["FQDN", "IPv4", "IPv6"], "addressType", errors);
    checkSlicePorts(object, errors);
    if (!old || !deepEqual(object["endpoints"] ?? null, old["endpoints"] ?? null)) checkEndpoints(object, type, errors);
    if (old && type !== textAt(old, "addressType")) errors.push(invalid("addressType", type, immutable));
    return errors;
  },
  warn: (object, old) => [
    ...(!old && textAt(object, "addressType") === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...(isManaged(object) ? [] : sliceWarnings(object)),
  ],
  table: {
    columns: [
      nameColumn,
      { name: "AddressType", type: "string", cell: (object) => textAt(object, "addressType") },
      { name: "Ports", type: "string", cell: (object) => printSome(listAt(object, "ports").map(printPort)) },
      {
        name: "Endpoints",
        type: "string",
        cell: (object) =>
          printSome(listAt(object, "endpoints").flatMap((one) => (isJsonObject(one) ? textsAt(one, "addresses") : []))),
      },
      ageColumn,
    ],
  },
};

/** `deprecatedTopology` is read-only. */
function dropTopology(draft: Draft): void {
  for (const endpoint of draftsIn(draft["endpoints"])) delete endpoint["deprecatedTopology"];
}

function printPort(port: unknown): string {
  if (!isJsonObject(port)) return "*";
  return typeof port["port"] === "number" ? String(port["port"]) : textAt(port, "name");
}

function printSome(all: readonly string[]): string {
  if (all.length === 0) return "<unset>";
  return printFirst(all);
}

function checkSlicePorts(object: JsonObject, errors: Errors): void {
  const count = listAt(object, "ports").length;
  if (count > 20_000) return void errors.push(tooMany("ports", count, 20_000));
  const names = new Set<string>();
  for (const [port, place] of entriesAt(object, "ports", "")) {
    const at = place.slice(1);
    const name = textAt(port, "name");
    if (name !== "") checkName(name, labelName, `${at}.name`, errors);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    checkOptionalEnum(port["protocol"], protocols, `${at}.protocol`, errors);
    if (typeof port["appProtocol"] === "string")
      checkName(port["appProtocol"], qualifiedName, `${at}.appProtocol`, errors);
  }
}

function checkEndpoints(object: JsonObject, type: string, errors: Errors): void {
  const count = listAt(object, "endpoints").length;
  if (count > 1_000) return void errors.push(tooMany("endpoints", count, 1_000));
  for (const [endpoint, place] of entriesAt(object, "endpoints", "")) {
    const at = place.slice(1);
    const addresses = textsAt(endpoint, "addresses");
    if (addresses.length === 0) errors.push(required(`${at}.addresses`, "must contain at least 1 address"));
    else if (addresses.length > 100) errors.push(tooMany(`${at}.addresses`, addresses.length, 100));
    for (const [index, address] of addresses.entries())
      checkEndpointAddress(address, { type, list: `${at}.addresses`, index, errors });
    if (typeof endpoint["nodeName"] === "string")
      checkName(endpoint["nodeName"], subdomainName, `${at}.nodeName`, errors);
    errors.push(...checkLabels(objectAt(endpoint, "deprecatedTopology"), `${at}.deprecatedTopology`));
    if (typeof endpoint["hostname"] === "string") checkName(endpoint["hostname"], labelName, `${at}.hostname`, errors);
    checkHints(objectAt(endpoint, "hints"), `${at}.hints`, errors);
  }
}

function checkEndpointAddress(
  address: string,
  {
    type,
    list,
    index,
    errors,
  }: { readonly type: string; readonly list: string; readonly index: number; readonly errors: Errors },
): void {
  const at = `${list}[${index}]`;
  if (type === "FQDN") checkDomain(address, at, errors);
  if (type !== "IPv4" && type !== "IPv6") return;
  const problems = (type === "IPv4" ? ipAddress : strictAddress)(address);
  for (const detail of problems) errors.push(invalid(at, address, detail));
  if (problems.length > 0) return;
  if (isVersion6(address) !== (type === "IPv6")) errors.push(invalid(list, address, `must be an ${type} address`));
  errors.push(...specialAddress(address, at));
}

/** A domain of at least two labels; a trailing dot is allowed. */
function checkDomain(address: string, field: string, errors: Errors): void {
  if (address === "") return void errors.push(required(field));
  const name = address.replace(/\.$/, "");
  const problems = subdomainName(name);
  if (problems.length > 0) return void errors.push(invalid(field, name, problems.join(",")));
  if (!name.includes("."))
    return void errors.push(invalid(field, name, "should be a domain with at least two segments separated by dots"));
  const long = name.split(".").find((label) => labelName(label).length > 0);
  if (long !== undefined) errors.push(invalid(field, long, labelName(long).join(",")));
}

function checkHints(hints: JsonObject, field: string, errors: Errors): void {
  for (const [key, rule] of [
    ["forZones", labelValue],
    ["forNodes", subdomainName],
  ] as const) {
    const count = listAt(hints, key).length;
    if (count > 8) return void errors.push(tooMany(`${field}.${key}`, count, 8));
    const names = new Set<string>();
    for (const [hint, at] of entriesAt(hints, key, field)) {
      const name = textAt(hint, "name");
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
      checkName(name, rule, `${at}.name`, errors);
    }
  }
}

import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { duplicate, invalid, required, tooMany } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../columns.js";
import { type Draft, draftsIn, listAt, metadataOf, objectAt, setDefault, textAt, textsAt } from "../draft.js";
import { labelName, labelValue, qualifiedName, subdomainName } from "../name-rules.js";
import { checkLabels } from "../object-meta.js";
import type { Strategy } from "../resource.js";
import { differsOutside } from "../same-object.js";
import { addressWarnings } from "./address-warnings.js";
import { protocols } from "./check-service.js";
import {
  checkEnum,
  checkName,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  immutable,
  numberAt,
} from "./field-checks.js";
import { addressNumber, ipAddress, isVersion6, specialAddress, strictAddress } from "./network-values.js";
import { checkPortNumber } from "./value-rules.js";
import { setMissing } from "./workload.js";

/** What every use of Endpoints is warned of. */
export const endpointsWarning = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

/** How many addresses tables show. */
const shown = 3;

/** The older form of where the traffic of a Service goes. */
export const endpointsStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  createOnUpdate: true,
  tracksGeneration: false,
  applyDefaults(draft) {
    for (const subset of draftsIn(draft["subsets"]))
      for (const port of draftsIn(subset["ports"])) setDefault(port, "protocol", "TCP");
  },
  check(object, old) {
    const errors: Errors = [];
    for (const [subset, at] of entriesAt(object, "subsets", "")) checkSubset(subset, at.slice(1), errors);
    return old && deepEqual(object["subsets"] ?? null, old["subsets"] ?? null) ? [] : errors;
  },
  warn: (object) => (isManaged(object) ? [] : subsetWarnings(object)),
  columns: [nameColumn, { name: "Endpoints", type: "string", cell: printSubsets }, ageColumn],
};

/** Controllers that write addresses as they should be, and say so by a label. */
const managers: readonly (readonly [label: string, name: string])[] = [
  ["endpoints.kubernetes.io/managed-by", "endpoint-controller"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io"],
];

function isManaged(object: JsonObject): boolean {
  const labels = objectAt(metadataOf(object), "labels");
  return managers.some(([label, name]) => textAt(labels, label) === name);
}

function subsetWarnings(object: JsonObject): string[] {
  return [...entriesAt(object, "subsets", "")].flatMap(([subset, place]) =>
    ["addresses", "notReadyAddresses"].flatMap((key) =>
      [...entriesAt(subset, key, place.slice(1))].flatMap(([address, at]) =>
        addressWarnings(`${at}.ip`, textAt(address, "ip")),
      ),
    ),
  );
}

function sliceWarnings(object: JsonObject): string[] {
  return [...entriesAt(object, "endpoints", "")].flatMap(([endpoint, place]) =>
    textsAt(endpoint, "addresses").flatMap((address, index) =>
      addressWarnings(`${place.slice(1)}.addresses[${index}]`, address),
    ),
  );
}

function checkSubset(subset: JsonObject, field: string, errors: Errors): void {
  if (listAt(subset, "addresses").length + listAt(subset, "notReadyAddresses").length === 0)
    errors.push(required(field, "must specify `addresses` or `notReadyAddresses`"));
  for (const key of ["addresses", "notReadyAddresses"])
    for (const [address, at] of entriesAt(subset, key, field)) {
      const ip = textAt(address, "ip");
      const problems = ipAddress(ip);
      for (const detail of problems) errors.push(invalid(`${at}.ip`, ip, detail));
      if (textAt(address, "hostname") !== "")
        checkName(textAt(address, "hostname"), labelName, `${at}.hostname`, errors);
      if (typeof address["nodeName"] === "string")
        checkName(address["nodeName"], subdomainName, `${at}.nodeName`, errors);
      if (!addressNumber(ip)) errors.push(invalid(`${at}.ip`, ip, "must be a valid IP address"));
      else errors.push(...specialAddress(ip, `${at}.ip`));
    }
  const needsName = listAt(subset, "ports").length > 1;
  for (const [port, at] of entriesAt(subset, "ports", field)) {
    const name = textAt(port, "name");
    if (name !== "") checkName(name, labelName, `${at}.name`, errors);
    else if (needsName) errors.push(required(`${at}.name`));
    checkPortNumber(numberAt(port, "port"), `${at}.port`, errors);
    checkProtocols(port, at, errors);
  }
}

function checkProtocols(port: JsonObject, at: string, errors: Errors): void {
  checkEnum(textAt(port, "protocol"), protocols, `${at}.protocol`, errors);
  if (typeof port["appProtocol"] === "string")
    checkName(port["appProtocol"], qualifiedName, `${at}.appProtocol`, errors);
}

function printSubsets(object: JsonObject): string {
  const all = listAt(object, "subsets").flatMap((subset) => {
    if (!isJsonObject(subset)) return [];
    const addresses = listAt(subset, "addresses").map((one) => (isJsonObject(one) ? textAt(one, "ip") : ""));
    const ports = listAt(subset, "ports").map((one) => (isJsonObject(one) ? numberAt(one, "port") : 0));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => (isVersion6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  if (listAt(object, "subsets").length === 0) return "<none>";
  const printed = all.slice(0, shown).join(",");
  return all.length > shown ? `${printed} + ${all.length - shown} more...` : printed;
}

/** Where the traffic of a Service goes. */
export const endpointSliceStrategy: Strategy = {
  nameRule: subdomainName,
  unconditionalUpdate: true,
  tracksGeneration: true,
  applyDefaults(draft) {
    for (const port of draftsIn(draft["ports"])) {
      setMissing(port, "name", "");
      setMissing(port, "protocol", "TCP");
    }
  },
  prepareNew: dropTopology,
  // What did not change stays as it is.
  admitChange(draft, old) {
    if (!deepEqual(draft["endpoints"] ?? null, old["endpoints"] ?? null)) dropTopology(draft);
  },
  isNewGeneration: (object, old) =>
    differsOutside(object, old, ["metadata"]) ||
    !deepEqual(objectAt(metadataOf(object), "labels"), objectAt(metadataOf(old), "labels")),
  check(object, old) {
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
};

/** The elder way to tell where an endpoint is can no longer be written. */
function dropTopology(draft: Draft): void {
  for (const endpoint of draftsIn(draft["endpoints"])) delete endpoint["deprecatedTopology"];
}

function printPort(port: unknown): string {
  if (!isJsonObject(port)) return "*";
  return typeof port["port"] === "number" ? String(port["port"]) : textAt(port, "name");
}

function printSome(all: readonly string[]): string {
  if (all.length === 0) return "<unset>";
  const printed = all.slice(0, shown).join(",");
  return all.length > shown ? `${printed} + ${all.length - shown} more...` : printed;
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

/** A domain of two parts at least, which may end with a dot. */
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

import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import { ageColumn, nameColumn } from "../../columns.js";
import { draftsIn, listAt, numberAt, setDefault, textAt } from "../../draft.js";
import { labelName, qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  addressNumber,
  addressWarnings,
  checkEnum,
  checkName,
  checkPortNumber,
  type Errors,
  entriesAt,
  ipAddress,
  isVersion6,
  specialAddress,
} from "../../validation/index.js";
import { isManaged, printFirst } from "../discovery/managed-endpoints.js";
import { protocols } from "./service/check-service.js";

/** The warning of every request for Endpoints. */
export const endpointsWarning = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

/** Endpoints. */
export const endpointsStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    for (const subset of draftsIn(draft["subsets"]))
      for (const port of draftsIn(subset["ports"])) setDefault(port, "protocol", "TCP");
  },
  validate(object, old) {
    const errors: Errors = [];
    for (const [subset, at] of entriesAt(object, "subsets", "")) checkSubset(subset, at.slice(1), errors);
    return old && deepEqual(object["subsets"] ?? null, old["subsets"] ?? null) ? [] : errors;
  },
  warn: (object) => (isManaged(object) ? [] : subsetWarnings(object)),
  table: {
    columns: [nameColumn, { name: "Endpoints", type: "string", cell: printSubsets }, ageColumn],
  },
};

function subsetWarnings(object: JsonObject): string[] {
  return [...entriesAt(object, "subsets", "")].flatMap(([subset, place]) =>
    ["addresses", "notReadyAddresses"].flatMap((key) =>
      [...entriesAt(subset, key, place.slice(1))].flatMap(([address, at]) =>
        addressWarnings(`${at}.ip`, textAt(address, "ip")),
      ),
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
  return printFirst(all);
}

import { deepEqual } from "@kubewright/core/json";
import { invalid, required } from "@kubewright/core/schema";
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "kubewright/k8s/core/v1";
import { ageColumn, nameColumn } from "../../columns.js";
import type { Decoded } from "../../decoded.js";
import { labelName, qualifiedName, subdomainName } from "../../name-rules.js";
import type { Strategy } from "../../strategy.js";
import {
  addressWarnings,
  checkEnum,
  checkName,
  checkNonSpecialIP,
  checkPortNumber,
  type Errors,
  entriesAt,
  ipAddress,
  isIPv6Address,
  parseAddress,
} from "../../validation/index.js";
import { isManaged, printFirst } from "../discovery/managed-endpoints.js";
import { protocols } from "./service/check-service.js";

/** The warning of every request for Endpoints. */
export const endpointsWarning = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

/** Endpoints. */
export const endpointsStrategy: Strategy<Endpoints> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    for (const subset of draft.subsets ?? []) for (const port of subset.ports ?? []) port.protocol ||= "TCP";
  },
  validate(object, old) {
    const errors: Errors = [];
    if (old && deepEqual(object.subsets, old.subsets)) return errors;
    for (const [subset, at] of entriesAt(object, "subsets")) checkSubset(subset, at, errors);
    return errors;
  },
  warn: (object) => (isManaged(object) ? [] : subsetWarnings(object)),
  table: {
    columns: [nameColumn, { name: "Endpoints", type: "string", cell: printSubsets }, ageColumn],
  },
};

const addressLists = ["addresses", "notReadyAddresses"] as const;

function subsetWarnings(object: Decoded<Endpoints>): string[] {
  return entriesAt(object, "subsets")
    .flatMap(([subset, at]) => addressLists.flatMap((key) => entriesAt(subset, key, at)))
    .flatMap(([{ ip = "" }, at]) => addressWarnings(`${at}.ip`, ip));
}

function checkSubset(subset: Decoded<EndpointSubset>, field: string, errors: Errors): void {
  if (addressLists.every((key) => !subset[key]?.length))
    errors.push(required(field, "must specify `addresses` or `notReadyAddresses`"));
  for (const key of addressLists)
    for (const [address, at] of entriesAt(subset, key, field)) checkAddress(address, at, errors);
  const ports = entriesAt(subset, "ports", field);
  for (const [port, at] of ports) checkPort(port, ports.length > 1, at, errors);
}

function checkAddress(address: Decoded<EndpointAddress>, at: string, errors: Errors): void {
  const { ip = "", hostname, nodeName } = address;
  checkName(ip, ipAddress, `${at}.ip`, errors);
  if (hostname) checkName(hostname, labelName, `${at}.hostname`, errors);
  if (nodeName !== undefined) checkName(nodeName, subdomainName, `${at}.nodeName`, errors);
  if (!parseAddress(ip)) errors.push(invalid(`${at}.ip`, ip, "must be a valid IP address"));
  else errors.push(...checkNonSpecialIP(ip, `${at}.ip`));
}

function checkPort(port: Decoded<EndpointPort>, needsName: boolean, at: string, errors: Errors): void {
  if (port.name) checkName(port.name, labelName, `${at}.name`, errors);
  else if (needsName) errors.push(required(`${at}.name`));
  checkPortNumber(port.port ?? 0, `${at}.port`, errors);
  checkEnum(port.protocol ?? "", protocols, `${at}.protocol`, errors);
  if (port.appProtocol !== undefined) checkName(port.appProtocol, qualifiedName, `${at}.appProtocol`, errors);
}

function printSubsets({ subsets = [] }: Decoded<Endpoints>): string {
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const ips = addresses.map(({ ip = "" }) => ip);
    if (ports.length === 0) return ips;
    return ports.flatMap(({ port = 0 }) => ips.map((ip) => (isIPv6Address(ip) ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return printFirst(all);
}

import { forbidden, invalid } from "@kubewright/core/schema";
import type { LoadBalancerStatus, Service } from "kubewright/k8s/core/v1";
import type { Ingress } from "kubewright/k8s/networking/v1";
import type { Decoded } from "../../../decoded.js";
import { subdomainName } from "../../../name-rules.js";
import {
  addressWarnings,
  checkName,
  checkOptionalEnum,
  type Errors,
  entriesAt,
  ipAddress,
  parseAddress,
} from "../../../validation/index.js";

/** The maximum width of the addresses in a printer column. */
const printedWidth = 16;

/** Validates the ingress points of the load balancer status of a Service or an Ingress. */
export function checkLoadBalancerStatus(status: Decoded<LoadBalancerStatus>, errors: Errors): void {
  for (const [{ ip, ipMode, hostname }, at] of entriesAt(status, "ingress", "status.loadBalancer")) {
    if (ip) checkName(ip, ipAddress, `${at}.ip`, errors);
    if (ip) checkOptionalEnum(ipMode, ["Proxy", "VIP"], `${at}.ipMode`, errors);
    else if (ipMode !== undefined) errors.push(forbidden(`${at}.ipMode`, "may not be specified when `ip` is not set"));
    if (!hostname) continue;
    checkName(hostname, subdomainName, `${at}.hostname`, errors);
    if (parseAddress(hostname))
      errors.push(invalid(`${at}.hostname`, hostname, "must be a DNS name, not an IP address"));
  }
}

/** Warnings about the addresses of the load balancer of a Service or an Ingress. */
export function loadBalancerWarnings({ status }: Decoded<Service | Ingress>): string[] {
  return entriesAt(status?.loadBalancer ?? {}, "ingress", "status.loadBalancer").flatMap(([{ ip = "" }, at]) =>
    addressWarnings(at, ip),
  );
}

/** The addresses of a load balancer, as printer columns show them; empty if there are none. */
export function printLoadBalancerStatus({ ingress = [] }: Decoded<LoadBalancerStatus> = {}): string {
  const names = ingress.map(({ ip, hostname }) => ip || hostname || "").filter((name) => name !== "");
  const printed = [...new Set(names)].sort().join(",");
  return printed.length > printedWidth ? `${printed.slice(0, printedWidth - 3)}...` : printed;
}

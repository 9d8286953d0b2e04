import { Quantity } from "@kubewright/core/quantity";
import { one, type ResourceList } from "./resource-list.js";

/** The fields of a Service that quotas count. */
export interface CountedService {
  readonly spec?: {
    readonly type?: string;
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly ports?: readonly { readonly nodePort?: number }[];
  };
}

const counted: ReadonlySet<string> = new Set([
  "count/services",
  "services",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Whether a quota's resource name counts Services. */
export function tracksServices(name: string): boolean {
  return counted.has(name);
}

/** The quota usage of a Service. */
export function serviceUsage({ spec = {} }: CountedService): ResourceList {
  const { type, ports = [], allocateLoadBalancerNodePorts: allocates = true } = spec;
  const isLoadBalancer = type === "LoadBalancer";
  const hasNodePorts = type === "NodePort" || isLoadBalancer;
  const nodePorts = isLoadBalancer && !allocates ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.loadbalancers", Quantity.of(isLoadBalancer ? 1 : 0)],
    ["services.nodeports", Quantity.of(hasNodePorts ? nodePorts.length : 0)],
  ]);
}

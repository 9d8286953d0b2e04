import { Quantity } from "@kubewright/core/quantity";
import { type Amounts, one } from "./amounts.js";

/** What of a service counts. */
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

/** Whether a name in a quota is about services. */
export function tracksServices(name: string): boolean {
  return counted.has(name);
}

/** What a service counts for. */
export function serviceUsage({ spec = {} }: CountedService): Amounts {
  const { type, ports = [], allocateLoadBalancerNodePorts: allocates = true } = spec;
  const isBalanced = type === "LoadBalancer";
  const isOnNodes = type === "NodePort" || isBalanced;
  const onNodes = isBalanced && !allocates ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.loadbalancers", Quantity.of(isBalanced ? 1 : 0)],
    ["services.nodeports", Quantity.of(isOnNodes ? onNodes.length : 0)],
  ]);
}

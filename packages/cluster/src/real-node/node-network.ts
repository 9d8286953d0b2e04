import { attempt, run } from "./commands.js";

/** The network of a real node: a namespace that is connected to the host by a pair of virtual interfaces. */
export interface NodeNetwork {
  /** The name of the network namespace. */
  readonly namespace: string;
  /** Where the host is reached from the node and its pods. */
  readonly hostAddress: string;
  /** The node's InternalIP. */
  readonly nodeAddress: string;
  /** The addresses of pods. */
  readonly podCidr: string;
}

/** The network of the node with this number, 0 to 255; each has subnets of its own. */
export function nodeNetwork(namespace: string, number: number): NodeNetwork {
  return {
    namespace,
    hostAddress: `10.210.${number}.1`,
    nodeAddress: `10.210.${number}.2`,
    podCidr: `10.211.${number}.0/24`,
  };
}

/** The host's end of the pair. Names of interfaces have at most 15 characters. */
function linkOf({ hostAddress }: NodeNetwork): string {
  return `kwnode${hostAddress.split(".")[2]}`;
}

/** Creates the namespace, its connection and the host's route to the pods. Needs root. */
export async function createNetwork(network: NodeNetwork): Promise<void> {
  const { namespace, hostAddress, nodeAddress, podCidr } = network;
  const link = linkOf(network);
  const inside = (...args: string[]): Promise<string> => run("ip", "-n", namespace, ...args);
  await run("ip", "netns", "add", namespace);
  // A bridge carries the node's address: kubelet takes no address of loopback.
  await run("ip", "link", "add", link, "type", "veth", "peer", "name", "node0", "netns", namespace);
  await run("ip", "address", "add", `${hostAddress}/24`, "dev", link);
  await run("ip", "link", "set", link, "up");
  await inside("link", "set", "lo", "up");
  await inside("address", "add", `${nodeAddress}/24`, "dev", "node0");
  await inside("link", "set", "node0", "up");
  await inside("route", "add", "default", "via", hostAddress);
  await run("ip", "route", "add", podCidr, "via", nodeAddress);
  const settings = ["net.ipv4.ip_forward=1", "net.ipv4.conf.all.route_localnet=1"];
  await run("nsenter", `--net=${namespacePath(namespace)}`, "sysctl", "-q", "-w", ...settings);
}

/** Deletes the namespace; its interfaces, routes and iptables rules go with it. */
export async function deleteNetwork(network: NodeNetwork): Promise<void> {
  await attempt("ip", "link", "delete", linkOf(network));
  await attempt("ip", "netns", "delete", network.namespace);
}

/** The command that runs another one in a network namespace. Unlike `ip netns exec` it keeps /sys, where the cgroups are. */
export function inNamespace(namespace: string, command: readonly string[]): readonly string[] {
  return ["nsenter", `--net=${namespacePath(namespace)}`, ...command];
}

function namespacePath(namespace: string): string {
  return `/run/netns/${namespace}`;
}

import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The programs that run a node. */
export interface NodePrograms {
  readonly kubelet: string;
  readonly kubeProxy: string;
  readonly coredns: string;
  /** What waits in each pod sandbox: a static program. */
  readonly pause: string;
}

/** The programs that `npm run real:install -- --node` has built into the per-user cache folder. */
export function installedNodePrograms(environment: NodeJS.ProcessEnv = process.env): NodePrograms {
  const cache = join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kubewright", "real");
  const folder = join(cache, "node");
  return {
    kubelet: join(folder, "kubelet"),
    kubeProxy: join(folder, "kube-proxy"),
    coredns: join(cache, "coredns", "coredns"),
    pause: join(folder, "pause"),
  };
}

/** Commands of the system, and the Debian package of each. */
const commands: Readonly<Record<string, string>> = {
  containerd: "containerd",
  ctr: "containerd",
  runc: "runc",
  ip: "iproute2",
  iptables: "iptables",
  conntrack: "conntrack",
  nsenter: "util-linux",
};

const cniFolders = ["/usr/lib/cni", "/opt/cni/bin"];

/** Folders that the PATH of an ordinary user lacks. */
const systemFolders = ["/usr/sbin", "/sbin", "/usr/local/sbin"];

/** What this machine lacks to run a real node, with how to get it; empty if nothing. */
export function missingForRealNode(programs: NodePrograms): readonly string[] {
  if (process.platform !== "linux") return [`Linux: this is ${process.platform}`];
  const missing: string[] = [];
  if (process.getuid?.() !== 0) missing.push("root: it creates network namespaces and mounts");
  const lacking = Object.keys(commands).filter((name) => !isOnPath(name));
  const packages = new Set(lacking.map((name) => commands[name] ?? name));
  if (cniFolder() === undefined) packages.add("containernetworking-plugins");
  if (packages.size > 0)
    missing.push(
      `${[...lacking, ...(cniFolder() === undefined ? ["CNI plugins"] : [])].join(", ")}: "apt-get install ${[...packages].join(" ")}"`,
    );
  const unbuilt = [
    ["kubelet", programs.kubelet],
    ["kube-proxy", programs.kubeProxy],
    ["coredns", programs.coredns],
    ["pause", programs.pause],
  ].flatMap(([name = "", path = ""]) => (existsSync(path) ? [] : [name]));
  if (unbuilt.length > 0) missing.push(`${unbuilt.join(", ")}: "npm run real:install -- --node"`);
  return missing;
}

/** The folder of the CNI plugins; undefined if there is none. */
export function cniFolder(): string | undefined {
  return cniFolders.find((folder) => existsSync(join(folder, "bridge")));
}

function isOnPath(command: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...systemFolders];
  return folders.some((folder) => isExecutable(join(folder, command)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

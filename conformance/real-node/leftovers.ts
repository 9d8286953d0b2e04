import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** What identifies the files of a node outside its folder: the ids of its containers, and the sockets of their shims. */
export function tracesOf(nodeAddress: string): readonly string[] {
  const bundles = join(folderOf(nodeAddress), "run", "io.containerd.runtime.v2.task", "k8s.io");
  return namesIn(bundles).flatMap((container) => {
    const address = readFileSync(join(bundles, container, "address"), "utf8");
    return [container, basename(address)];
  });
}

/**
 * What a node occupies on the machine, each one as a line that names it: found by asking the system, not the code that removes it. The traces are from
 * when its containers ran.
 */
export async function leftoversOf(nodeAddress: string, traces: readonly string[]): Promise<readonly string[]> {
  const number = numberOf(nodeAddress);
  const [name, folder] = [`kubewright-${number}`, folderOf(nodeAddress)];
  const tracedIn = (place: string): readonly string[] =>
    namesIn(place).filter((file) => traces.some((trace) => file.includes(trace)));
  const paths = [`${folder}/`, `/${name}/`];
  const addresses = [`10.210.${number}.`, `10.211.${number}.`];
  const lines = (title: string, text: string, parts: readonly string[]): readonly string[] =>
    text
      .split("\n")
      .filter((line) => parts.some((part) => `${line}/`.includes(part)))
      .map((line) => `${title}: ${line}`);
  return [
    ...(existsSync(folder) ? [`folder: ${folder}`] : []),
    ...lines("mount", readFileSync("/proc/self/mountinfo", "utf8"), paths),
    ...lines("network namespace", (await output("ip", "netns", "list")).replaceAll(/^(\S+).*$/gm, "/$1/"), paths),
    ...lines("interface or address", await output("ip", "-o", "address"), addresses),
    ...lines("route", await output("ip", "route"), addresses),
    ...lines("iptables rule", await output("iptables-save"), addresses),
    ...lines("process", processes().join("\n"), paths),
    ...lines("cgroup", cgroups().join("\n"), paths),
    ...lines("log link", linksIn("/var/log/containers").join("\n"), paths),
    ...tracedIn("/var/lib/cni/results").map((file) => `result of a CNI plugin: ${file}`),
    ...tracedIn("/run/containerd/s").map((file) => `socket of a shim: ${file}`),
    ...tracedIn("/run/containerd/runc/k8s.io").map((file) => `state of runc: ${file}`),
  ];
}

/** Nodes of one machine differ in the third byte of their addresses. */
function numberOf(nodeAddress: string): string {
  return nodeAddress.split(".")[2] ?? "";
}

function folderOf(nodeAddress: string): string {
  return `/var/lib/kubewright/nodes/${numberOf(nodeAddress)}`;
}

async function output(command: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { maxBuffer: 2 ** 26 })).stdout;
}

/** The command line and the cgroups of each process, without those that have ended and whose parent has not yet asked for their exit codes. */
function processes(): readonly string[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const read = (file: string): string => readFileSync(join("/proc", pid, file), "utf8");
        if (/\) [ZX] /.test(read("stat"))) return "";
        return `${pid} ${read("cmdline").replaceAll("\0", " ")} ${read("cgroup").replaceAll("\n", "/ ")}`;
      } catch {
        return ""; // It has ended.
      }
    });
}

/** The cgroups of the first two levels: with cgroup v1 the first one is the hierarchy. */
function cgroups(): readonly string[] {
  const mount = "/sys/fs/cgroup";
  return namesIn(mount).flatMap((name) => [name, ...namesIn(join(mount, name)).map((child) => join(name, child))]);
}

function linksIn(folder: string): readonly string[] {
  return namesIn(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return "";
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

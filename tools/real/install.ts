/**
 * `npm run real:install`: builds the real control plane and helm from Go modules into the per-user cache directory. With `--version 1.33.13` it builds
 * the control plane of the oldest supported Kubernetes version instead, for `npm run test:real -- --version 1.33.13`. With `--node` it builds the
 * programs of a real node too: kubelet, kube-proxy, CoreDNS, the program of pod sandboxes, and a program on client-go that tests run in a pod.
 *
 * No-op when they exist. Directories are named by version and by a hash of the module files, so that a change of either triggers a build. The
 * symbolic links `current`, `1.33.13`, `node`, `coredns` and `helm` lead to those in use.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { unsupportedReason } from "@kubewright/testing/control-plane";
import { type BinarySet, installBinaries } from "./go-binaries.js";

const helmVersion = "4.3.1";
const tools = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The Go modules of the Kubernetes versions that can be built, the default first. */
const modules: ReadonlyMap<string, { readonly folder: string; readonly link: string }> = new Map([
  ["1.36.4", { folder: "oracle", link: "current" }],
  ["1.33.13", { folder: "oracle-1.33", link: "1.33.13" }],
]);

/** Linker flags with the version that a program of Kubernetes reports. */
function kubernetesFlags(version: string): string {
  const versionPackage = "k8s.io/component-base/version";
  const [major, minor] = version.split(".");
  return `-s -w -X ${versionPackage}.gitVersion=v${version} -X ${versionPackage}.gitMajor=${major} -X ${versionPackage}.gitMinor=${minor}`;
}

function controlPlane(version: string): BinarySet {
  const module = modules.get(version);
  if (module === undefined) {
    console.error(
      `Cannot build Kubernetes ${version}: there is a Go module for ${[...modules.keys()].join(" and ")} only`,
    );
    process.exit(1);
  }
  const flags = kubernetesFlags(version);
  const commands = ["kubectl", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
  return {
    title: `Kubernetes control plane ${version}`,
    moduleFolder: join(tools, module.folder),
    version,
    link: module.link,
    binaries: [
      { name: "etcd", source: "go.etcd.io/etcd/server/v3", flags: "-s -w" },
      ...commands.map((name) => ({ name, source: `k8s.io/kubernetes/cmd/${name}`, flags })),
    ],
  };
}

function realNode(version: string): BinarySet {
  const flags = kubernetesFlags(version);
  return {
    title: `real node ${version}`,
    moduleFolder: join(tools, "node"),
    version: `node-${version}`,
    link: "node",
    binaries: [
      ...["kubelet", "kube-proxy"].map((name) => ({ name, source: `k8s.io/kubernetes/cmd/${name}`, flags })),
      ...["pause", "list-pods"].map((name) => ({ name, source: `kubewright.dev/node/${name}`, flags: "-s -w" })),
    ],
    sourceFiles: ["pause/main.go", "list-pods/main.go"],
  };
}

/** A module of its own: its dependencies are those of another version of Kubernetes. */
const coredns: BinarySet = {
  title: "CoreDNS",
  moduleFolder: join(tools, "coredns"),
  version: "coredns",
  link: "coredns",
  binaries: [{ name: "coredns", source: "kubewright.dev/coredns", flags: "-s -w" }],
  sourceFiles: ["main.go"],
};

const helm: BinarySet = {
  title: `helm ${helmVersion}`,
  moduleFolder: join(tools, "helm"),
  version: `helm-${helmVersion}`,
  link: "helm",
  binaries: [
    {
      name: "helm",
      source: "helm.sh/helm/v4/cmd/helm",
      flags: `-s -w -X helm.sh/helm/v4/internal/version.version=v${helmVersion}`,
    },
  ],
};

const unsupported = unsupportedReason();
if (unsupported !== undefined) {
  console.error(`Cannot build the real control plane: ${unsupported}`);
  process.exit(1);
}
const [current = ""] = modules.keys();
const { values } = parseArgs({
  options: { version: { type: "string", default: current }, node: { type: "boolean", default: false } },
});
await installBinaries(controlPlane(values.version));
if (values.version === current) await installBinaries(helm);
if (values.node) for (const set of [realNode(current), coredns]) await installBinaries(set);

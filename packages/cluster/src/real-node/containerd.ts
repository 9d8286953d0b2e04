import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.js";
import { inNamespace, type NodeNetwork } from "./node-network.js";
import { Program } from "./program.js";

/** The image of pod sandboxes, which the node brings itself: no registry is reached. */
export const pauseImage = "kubewright.dev/pause:1";

/** How long containerd may take until it serves requests. */
const startMs = 60_000;

/** Where a node keeps its files. */
export interface NodeFolders {
  readonly root: string;
  readonly socket: string;
  readonly logs: string;
}

/** The folders of a node below one folder, which is removed as a whole. */
export function nodeFolders(root: string): NodeFolders {
  return { root, socket: join(root, "containerd.sock"), logs: join(root, "logs") };
}

/** containerd, with everything below the node's folder. */
export function containerd({ root, socket, logs }: NodeFolders, network: NodeNetwork, cniPlugins: string): Program {
  const cni = join(root, "cni");
  mkdirSync(cni, { recursive: true });
  writeFileSync(join(cni, "10-kubewright.conflist"), cniConfiguration(network, root));
  const file = join(root, "containerd.toml");
  writeFileSync(file, configuration({ root, socket, cni, cniPlugins }));
  const command = inNamespace(network.namespace, ["containerd", "--config", file]);
  const passes = async (): Promise<boolean> => {
    await run("ctr", "--address", socket, "--connect-timeout", "1s", "version");
    return true;
  };
  return new Program("containerd", command, logs, { limitMs: startMs, passes });
}

/** The sockets of shims, which are not below the node's folder: each bundle names its own. */
export function shimSockets({ root }: NodeFolders): readonly string[] {
  const bundles = join(root, "run", "io.containerd.runtime.v2.task", "k8s.io");
  const containers = existsSync(bundles) ? readdirSync(bundles) : [];
  return containers.flatMap((container) => {
    try {
      return [readFileSync(join(bundles, container, "address"), "utf8").replace("unix://", "")];
    } catch {
      // Its shim had not started, or has ended.
      return [];
    }
  });
}

/** Imports an image archive. */
export async function importImage({ root, socket }: NodeFolders, archive: Uint8Array): Promise<void> {
  const file = join(root, "image.tar");
  writeFileSync(file, archive);
  await run("ctr", "--address", socket, "--namespace", "k8s.io", "images", "import", file);
}

interface Places {
  readonly root: string;
  readonly socket: string;
  readonly cni: string;
  readonly cniPlugins: string;
}

function configuration({ root, socket, cni, cniPlugins }: Places): string {
  const text = JSON.stringify;
  return `version = 2
root = ${text(join(root, "containerd"))}
state = ${text(join(root, "run"))}
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = ${text(socket)}
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${text(pauseImage)}
  # Where root may not lower oom_score_adj, no sandbox starts otherwise.
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      # Else in a folder of the machine, where it would be left.
      Root = ${text(join(root, "runc"))}
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = ${text(cniPlugins)}
    conf_dir = ${text(cni)}
`;
}

function cniConfiguration({ namespace, podCidr }: NodeNetwork, root: string): string {
  return JSON.stringify({
    cniVersion: "0.4.0",
    name: namespace,
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        hairpinMode: true,
        ipam: {
          type: "host-local",
          dataDir: join(root, "cni-addresses"),
          ranges: [[{ subnet: podCidr }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  });
}

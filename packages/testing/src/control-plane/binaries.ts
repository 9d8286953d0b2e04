import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The binaries of a real control plane. */
export type BinaryName = "kube-apiserver" | "etcd" | "kubectl" | "kube-controller-manager" | "kube-scheduler";

/** The variables of envtest that name one binary each. They take precedence. */
const assetVariable: Partial<Record<BinaryName, string>> = {
  "kube-apiserver": "TEST_ASSET_KUBE_APISERVER",
  etcd: "TEST_ASSET_ETCD",
  kubectl: "TEST_ASSET_KUBECTL",
};

/**
 * The per-user cache directory of `npm run real:install`, outside the repository. Its symbolic link `current` leads to the binaries that were
 * installed last.
 */
export function realCacheDir(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kubewright", "real");
}

/**
 * The path of a control plane binary, or undefined when it is not on this machine.
 *
 * Searches `TEST_ASSET_*`, then `KUBEBUILDER_ASSETS`, then the cache directory. `KUBEBUILDER_ASSETS` contains no kube-controller-manager and
 * no kube-scheduler; they come from the cache directory even when it is set.
 */
export function findBinary(
  name: BinaryName,
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const variable = assetVariable[name];
  const named = variable && environment[variable];
  if (named) return named;
  const folders = [environment["KUBEBUILDER_ASSETS"], join(realCacheDir(environment), "current")];
  const file = platform === "win32" ? `${name}.exe` : name;
  return folders.flatMap((folder) => (folder ? [join(folder, file)] : [])).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

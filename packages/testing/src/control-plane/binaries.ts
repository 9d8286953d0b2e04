import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The programs of a real control plane. */
export type BinaryName = "kube-apiserver" | "etcd" | "kubectl" | "kube-controller-manager" | "kube-scheduler";

/** Variables that name one program each, as envtest has them; they win over everything else. */
const ownVariable: Partial<Record<BinaryName, string>> = {
  "kube-apiserver": "TEST_ASSET_KUBE_APISERVER",
  etcd: "TEST_ASSET_ETCD",
  kubectl: "TEST_ASSET_KUBECTL",
};

/**
 * The per-user folder in which `npm run real:install` keeps what it built, outside the repository. `current` in it is a link to the
 * programs that were installed last.
 */
export function realCacheDir(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "kubewright", "real");
}

/**
 * The path of a program of the real control plane, or undefined when it is not on this machine.
 *
 * Looks at `TEST_ASSET_*`, then at `KUBEBUILDER_ASSETS`, then at the cache folder. `KUBEBUILDER_ASSETS` holds no controller-manager
 * and no scheduler; those come from the cache folder even when it is set.
 */
export function findBinary(name: BinaryName, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const variable = ownVariable[name];
  const named = variable && environment[variable];
  if (named) return named;
  const folders = [environment["KUBEBUILDER_ASSETS"], join(realCacheDir(environment), "current")];
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * `npm run test:real`: the suites that need a real kube-apiserver, etcd and kubectl, those of the operators included.
 *
 * Takes binaries from TEST_ASSET_*, KUBEBUILDER_ASSETS or the cache directory, and builds missing ones when Go is installed. With
 * USE_EXISTING_CLUSTER=true the operators' suites run on the cluster of the current kubeconfig. With `--version 1.33.13` the suites of the runtime and
 * of the operators run on that version of Kubernetes; the others compare with the current one. Exits with 1 when no suite can run.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBinary, realCacheDir, unsupportedReason } from "@kubewright/testing/control-plane";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const required = ["etcd", "kube-apiserver", "kubectl"] as const;
const preferred = [...required, "kube-controller-manager", "kube-scheduler"] as const;

if (unsupportedReason() !== undefined) {
  console.error("Cannot run the tests on a real control plane: Windows is not supported; run them in WSL");
  process.exit(1);
}
const vitestArguments = process.argv.slice(2);
const versionAt = vitestArguments.indexOf("--version");
const [, version] = versionAt < 0 ? [] : vitestArguments.splice(versionAt, 2);
if (version !== undefined) useVersion(version);
const isMissing = (name: (typeof preferred)[number]): boolean => findBinary(name) === undefined;
const helm = join(realCacheDir(), "helm", "helm");
if (preferred.some(isMissing) || !existsSync(helm)) {
  console.log(`Not installed: ${[...preferred.filter(isMissing), ...(existsSync(helm) ? [] : ["helm"])].join(", ")}`);
  install([]);
}
if (required.some(isMissing)) {
  console.error(
    `Cannot run the tests on a real control plane: ${required.filter(isMissing).join(", ")} not found and not built (see above)`,
  );
  process.exit(1);
}

// The other suites compare with the current version.
const suites = version !== undefined && vitestArguments.length === 0 ? ["packages/kubewright", "operators"] : [];
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "vitest.real.config.ts", ...suites, ...vitestArguments],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      KUBEWRIGHT_TEST_CLUSTER: "real",
      KUBEWRIGHT_KUBECTL: findBinary("kubectl"),
      ...(existsSync(helm) ? { KUBEWRIGHT_HELM: helm } : {}),
    },
  },
);
process.exit(run.status ?? 1);

/** Takes the binaries of this version of Kubernetes, and builds missing ones. */
function useVersion(wanted: string): void {
  const folder = join(realCacheDir(), wanted);
  const isInstalled = (): boolean => preferred.every((name) => existsSync(join(folder, name)));
  if (!isInstalled()) install(["--version", wanted]);
  // `findBinary` falls back to the current version.
  if (!isInstalled()) {
    console.error(`Cannot run the tests on Kubernetes ${wanted}: it is not in ${folder} and was not built (see above)`);
    process.exit(1);
  }
  process.env["KUBEBUILDER_ASSETS"] = folder;
}

function install(options: readonly string[]): void {
  const script = join(root, "tools", "real", "install.ts");
  spawnSync(process.execPath, [...process.execArgv, script, ...options], { stdio: "inherit" });
}

/**
 * `npm run test:real`: the suites that need a real kube-apiserver, etcd and kubectl; the operators' suites among them, unchanged.
 *
 * Takes programs from TEST_ASSET_*, KUBEBUILDER_ASSETS or the cache folder, and builds them when they are missing and Go is there. With
 * USE_EXISTING_CLUSTER=true the operators' suites run on the cluster of the current kubeconfig. Ends non-zero when it can run nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBinary, realCacheDir } from "@kubewright/testing/control-plane";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const needed = ["etcd", "kube-apiserver", "kubectl"] as const;
const wished = [...needed, "kube-controller-manager", "kube-scheduler"] as const;

const isMissing = (name: (typeof wished)[number]): boolean => findBinary(name) === undefined;
const helm = join(realCacheDir(), "helm", "helm");
if (wished.some(isMissing) || !existsSync(helm)) {
  console.log(
    `Not on this machine: ${[...wished.filter(isMissing), ...(existsSync(helm) ? [] : ["helm"])].join(", ")}`,
  );
  spawnSync(process.execPath, [...process.execArgv, join(root, "tools", "real", "install.ts")], { stdio: "inherit" });
}
if (needed.some(isMissing)) {
  console.error(
    `Cannot run the real ring: ${needed.filter(isMissing).join(", ")} not found, and could not be built (see above)`,
  );
  process.exit(1);
}

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "vitest.real.config.ts", ...process.argv.slice(2)],
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

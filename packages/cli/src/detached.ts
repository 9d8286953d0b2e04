import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "@kubewright/core/errors";
import type { ClusterStartOptions } from "./cluster-start-options.js";

/** Reports readiness to the process that started this one; false when none waits for it. */
export function reportReady(): boolean {
  if (process.send === undefined) return false;
  process.send("ready");
  process.disconnect();
  return true;
}

/**
 * Starts the same command as a detached process, which outlives this one. Resolves when it is ready.
 *
 * Rejects with CLUSTER_START_FAILED and its last output when it exits before.
 */
export async function startDetached(
  options: ClusterStartOptions,
  logFile: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  await mkdir(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = await open(logFile, "w", 0o600);
  const built = join(import.meta.dirname, "main.js");
  const main = existsSync(built) ? built : join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [...process.execArgv, main, "cluster", "start", ...argumentsOf(options)], {
    detached: true,
    env: environment,
    stdio: ["ignore", log.fd, log.fd, "ipc"],
    // A detached process gets a console window on Windows otherwise.
    windowsHide: true,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`it exited with code ${code}`)));
    });
  } catch (error) {
    const output = (await readFile(logFile, "utf8")).trim().split("\n").slice(-5).join("\n");
    throw new OperatorError(
      "CLUSTER_START_FAILED",
      output.startsWith("error: ")
        ? output.slice("error: ".length)
        : `Cannot start cluster "${options.name}": ${output}`,
      { cause: error },
    );
  } finally {
    await log.close();
  }
  if (child.connected) child.disconnect();
  child.unref();
}

function argumentsOf(options: ClusterStartOptions): string[] {
  const given: readonly (readonly [string, string | number | undefined])[] = [
    ["--name", options.name],
    ["--port", options.port],
    ["--data-dir", options.dataDir],
    ["--nodes", options.nodes],
    ["--kubeconfig", options.kubeconfig],
    ["--audit-policy-file", options.auditPolicyFile],
    ["--audit-log-path", options.auditLogPath],
    ["--token-auth-file", options.tokenAuthFile],
    ["--enable-admission-plugins", options.enableAdmissionPlugins?.join(",")],
    ["--disable-admission-plugins", options.disableAdmissionPlugins?.join(",")],
  ];
  return [
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)])),
    ...(options.workloads === false ? ["--no-workloads"] : []),
    ...(options.mergeKubeconfig === true ? ["--merge-kubeconfig"] : []),
    ...(options.setContext === true ? ["--set-context"] : []),
  ];
}

import { relative, resolve } from "node:path";
import { styleText } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { startTimeOf } from "@kubewright/cluster/process";
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { checkKubeconfigFile, removeClusterFiles, removeKubeconfig, writeClusterFiles } from "./cluster-files.js";
import type { ClusterStartOptions } from "./cluster-start-options.js";
import { type ClusterState, ClusterStates, checkClusterName, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { reportReady, startDetached } from "./detached.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { contextName, userKubeconfig } from "./merge-kubeconfig.js";
import { setKubeconfig } from "./set-kubeconfig.js";
import { stopSignal } from "./stop-signal.js";

/** How often a running cluster looks for a request to stop. */
const stopPollMs = 250;

/** Serves an embedded cluster until it is stopped, or starts a detached process that does. The kubeconfig is removed on stop. */
export async function startClusterCommand(options: ClusterStartOptions, streams: CommandStreams): Promise<ExitCode> {
  const { environment = process.env } = streams;
  check(options);
  const states = new ClusterStates(environment);
  await replaceTerminated(states, options.name);
  const file = options.mergeKubeconfig === true ? undefined : resolve(options.kubeconfig ?? ".kubewright/kubeconfig");
  if (file !== undefined) await checkKubeconfigFile(file);
  if (options.detach === true) {
    await startDetached(options, states.logFile(options.name), environment);
    const state = await states.read(options.name);
    if (state) printReady(state, options, streams.out);
    return exitCodes.done;
  }
  await serve(options, file, states, streams);
  return exitCodes.done;
}

async function serve(
  options: ClusterStartOptions,
  file: string | undefined,
  states: ClusterStates,
  streams: CommandStreams,
): Promise<void> {
  const { out, signal, environment = process.env } = streams;
  const stopped = signal ?? stopSignal();
  const startedMs = performance.now();
  const dataDir = options.dataDir === undefined ? undefined : resolve(options.dataDir);
  const workloads = options.workloads === false ? false : { nodes: options.nodes ?? 1, start: "meanwhile" as const };
  const cluster = await startCluster({ workloads, ...(dataDir !== undefined && { dataDir }) });
  let state: ClusterState | undefined;
  try {
    const { url, caCertificate, kubeconfig } = await cluster.listen({
      host: "127.0.0.1",
      ...(options.port !== undefined && { port: options.port }),
    });
    const readyMs = Math.round(performance.now() - startedMs);
    state = {
      name: options.name,
      pid: process.pid,
      processStartTime: startTimeOf(process.pid) ?? "",
      url,
      caCertificate,
      kubeconfig,
      ...(file === undefined ? { mergedInto: userKubeconfig(environment) } : { kubeconfigFile: file }),
      ...(dataDir !== undefined && { dataDir }),
      startedAt: new Date(systemClock.now()).toISOString(),
    };
    await writeClusterFiles(states, state, options.setContext === true);
    if (!reportReady()) printReady(state, options, out, readyMs);
    while (!stopped.aborted && !(await states.isStopRequested(state))) await sleep(systemClock, stopPollMs, stopped);
  } finally {
    try {
      // The state file, not what this process wrote: "cluster kubeconfig --merge" may have added a context since.
      if (state) await removeKubeconfig((await states.read(state.name)) ?? state);
    } finally {
      await cluster.close();
      // Last: "cluster stop" takes it as the sign that the data directory is free.
      if (state) await states.remove(state);
    }
  }
  if (options.output === "text") out.write("Stopped\n");
}

function check({ name, output, kubeconfig, mergeKubeconfig: merge, setContext }: ClusterStartOptions): void {
  const fail = (why: string): never => {
    throw new OperatorError("CONFIG_INVALID", `Cannot start cluster "${name}": ${why}`);
  };
  checkClusterName(name);
  if (output !== "text" && output !== "json") fail(`--output must be text or json, not "${output}"`);
  if (merge === true && kubeconfig !== undefined) fail("--kubeconfig and --merge-kubeconfig are mutually exclusive");
  if (setContext === true && merge !== true) fail("--set-context requires --merge-kubeconfig");
}

/** Removes what a terminated cluster of that name left behind. Rejects with CLUSTER_START_FAILED when it is running. */
async function replaceTerminated(states: ClusterStates, name: string): Promise<void> {
  const state = await states.read(name);
  if (!state) return;
  if ((await healthOf(state)) === "terminated") return await removeClusterFiles(states, state);
  throw new OperatorError(
    "CLUSTER_START_FAILED",
    `Cannot start cluster "${name}": it is already running, as process ${state.pid} on ${state.url}; stop it, or use another --name`,
  );
}

function printReady(
  state: ClusterState,
  { output, detach, setContext }: ClusterStartOptions,
  out: CommandStreams["out"],
  readyMs?: number,
): void {
  const { name, url, pid, kubeconfigFile: file, dataDir } = state;
  if (output === "json") {
    const context = file === undefined ? contextName(name) : "kubewright";
    out.write(
      `${JSON.stringify({ name, url, kubeconfig: file ?? state.mergedInto, context, readyMs, pid, dataDir })}\n`,
    );
    return;
  }
  const bold = (text: string): string => (out.isTTY === true ? styleText("bold", text) : text);
  const context = setContext === true ? "" : ` --context ${contextName(name)}`;
  const use =
    file === undefined
      ? [`  ${bold(`kubectl${context} get namespaces`)}`]
      : [
          `  ${bold(setKubeconfig(relative(process.cwd(), file), process.platform))}`,
          `  ${bold("kubectl get namespaces")}`,
        ];
  const suffix = name === "default" ? "" : ` --name ${name}`;
  out.write(
    [
      `Kubernetes API server on ${bold(url)}${readyMs === undefined ? "" : `, ready in ${readyMs} ms`}`,
      "",
      ...use,
      "",
      `Objects are stored in ${dataDir ?? "memory"}. Stop it with ${detach === true ? `kubewright cluster stop${suffix}` : "Ctrl-C"}.`,
      "",
    ].join("\n"),
  );
}

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { styleText } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { ClusterStartOptions } from "./cluster-start-options.js";
import { type ClusterState, ClusterStates, checkClusterName, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { startDetached, tellReady } from "./detached.js";
import type { ExitCode } from "./exit-codes.js";
import { exitCodes } from "./exit-codes.js";
import { contextName, mergeKubeconfig, unmergeKubeconfig, userKubeconfig } from "./merge-kubeconfig.js";

/** Stands in each kubeconfig that this command writes: a file without it is somebody's own, and is not touched. */
const mark = "# Written by kubewright cluster start";

/**
 * Serves an embedded cluster until it is told to stop, or starts one that does so in the background; at its end the kubeconfig, which
 * would lead nowhere, is taken away.
 */
export async function startClusterCommand(options: ClusterStartOptions, streams: CommandStreams): Promise<ExitCode> {
  const { environment = process.env } = streams;
  check(options);
  const states = new ClusterStates(environment);
  await refuseSecond(states, options.name);
  const file = options.mergeKubeconfig === true ? undefined : resolve(options.kubeconfig ?? ".kubewright/kubeconfig");
  if (file !== undefined) await refuseForeignFile(file);
  if (options.detach === true) {
    await startDetached(options, states.logFile(options.name), environment);
    const state = await states.read(options.name);
    if (state) greet(state, options, streams.out);
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
  const { unevaluatedRules = "reject" } = options;
  await using cluster = await startCluster({ workloads, unevaluatedRules, ...(dataDir !== undefined && { dataDir }) });
  const served = await cluster.listen({ host: "127.0.0.1", ...(options.port !== undefined && { port: options.port }) });
  const readyMs = Math.round(performance.now() - startedMs);
  const merged = file === undefined ? userKubeconfig(environment) : undefined;
  const state: ClusterState = {
    name: options.name,
    pid: process.pid,
    url: served.url,
    caCertificate: served.caCertificate,
    kubeconfig: served.kubeconfig,
    ...(file !== undefined && { kubeconfigFile: file }),
    ...(merged !== undefined && { mergedInto: merged }),
    ...(dataDir !== undefined && { dataDir }),
    startedAt: new Date(systemClock.now()).toISOString(),
  };
  try {
    if (file !== undefined) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${mark}\n${served.kubeconfig}`, { mode: 0o600 });
    }
    if (merged !== undefined)
      await mergeKubeconfig(served.kubeconfig, {
        file: merged,
        name: options.name,
        setContext: options.setContext === true,
      });
    await states.write(state);
    if (!tellReady()) greet(state, options, out, readyMs);
    await untilAborted(stopped);
  } finally {
    if (file !== undefined) await rm(file, { force: true });
    if (merged !== undefined) await unmergeKubeconfig(merged, options.name);
    await states.remove(state);
  }
  if (options.output === "text") out.write("Stopped\n");
}

function check({ name, output, kubeconfig, mergeKubeconfig: merge, setContext }: ClusterStartOptions): void {
  const refuse = (why: string): never => {
    throw new OperatorError("CONFIG_INVALID", `Cannot start cluster "${name}": ${why}`);
  };
  checkClusterName(name);
  if (output !== "text" && output !== "json") refuse(`--output is text or json, not "${output}"`);
  if (merge === true && kubeconfig !== undefined) refuse("--kubeconfig and --merge-kubeconfig exclude each other");
  if (setContext === true && merge !== true) refuse("--set-context goes with --merge-kubeconfig");
}

async function refuseSecond(states: ClusterStates, name: string): Promise<void> {
  const state = await states.read(name);
  if (!state) return;
  const health = await healthOf(state);
  if (health === "gone") return;
  throw new OperatorError(
    "CLUSTER_START_FAILED",
    `Cannot start cluster "${name}": it is running already, as process ${state.pid} on ${state.url}; stop it, or use another --name`,
  );
}

async function refuseForeignFile(file: string): Promise<void> {
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new OperatorError("CONFIG_INVALID", `Cannot write kubeconfig "${file}": ${error.message}`, { cause: error });
  });
  if (content !== undefined && !content.startsWith(mark)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot write kubeconfig "${file}": it holds a configuration of your own; name another file, or use --merge-kubeconfig`,
    );
  }
}

function greet(
  state: ClusterState,
  { output, detach, setContext }: ClusterStartOptions,
  out: CommandStreams["out"],
  readyMs?: number,
): void {
  const { name, url, pid, kubeconfigFile: file, dataDir } = state;
  if (output === "json") {
    const told = { name, url, kubeconfig: file ?? state.mergedInto, context: file ? "kubewright" : contextName(name) };
    out.write(`${JSON.stringify({ ...told, readyMs, pid, dataDir })}\n`);
    return;
  }
  const bold = (text: string): string => (out.isTTY === true ? styleText("bold", text) : text);
  const context = setContext === true ? "" : ` --context ${contextName(name)}`;
  const use =
    file === undefined
      ? [`  ${bold(`kubectl${context} get namespaces`)}`]
      : [
          `  ${bold(`export KUBECONFIG=${relative(process.cwd(), file) || file}`)}`,
          `  ${bold("kubectl get namespaces")}`,
        ];
  const suffix = name === "default" ? "" : ` --name ${name}`;
  out.write(
    [
      `Kubernetes API server on ${bold(url)}${readyMs === undefined ? "" : `, ready in ${readyMs} ms`}`,
      "",
      ...use,
      "",
      `It lives in ${dataDir === undefined ? "memory" : dataDir}. ${detach === true ? `kubewright cluster stop${suffix}` : "Ctrl-C"} stops it.`,
      "",
    ].join("\n"),
  );
}

/** Aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(1);
    abort.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return abort.signal;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

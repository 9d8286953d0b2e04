import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { type AuditPolicy, parseTokenFile } from "@kubewright/cluster";
import { OperatorError } from "@kubewright/core/errors";
import { parse } from "yaml";
import { checkKubeconfigFile } from "./cluster-files.js";
import { serveRequests } from "./cluster-requests.js";
import type { ClusterStartOptions } from "./cluster-start-options.js";
import { type ClusterState, ClusterStates, checkClusterName } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { reportReady, startDetached } from "./detached.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { contextName } from "./merge-kubeconfig.js";
import { painterFor } from "./painter.js";
import { replaceTerminated, serveCluster } from "./served-cluster.js";
import { setKubeconfig } from "./set-kubeconfig.js";
import { stopSignal } from "./stop-signal.js";

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
    if (state) printReady(state, options, streams);
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
  const { workloads, auditPolicyFile, tokenAuthFile } = options;
  const nodes = options.nodes ?? (options.realNode === true ? 0 : 1);
  await using served = await serveCluster({
    ...options,
    states,
    environment,
    kubeconfigFile: file,
    ...(auditPolicyFile !== undefined && {
      auditPolicy: await readOption("audit policy", auditPolicyFile, (text) => parse(text) as AuditPolicy),
    }),
    ...(tokenAuthFile !== undefined && { tokens: await readOption("token file", tokenAuthFile, parseTokenFile) }),
    workloads: workloads === false ? false : { nodes, start: "meanwhile" },
  });
  const { state } = served;
  if (!reportReady()) printReady(state, options, streams, Math.round(performance.now() - startedMs));
  await serveRequests({ ...served, nodes: workloads === false ? undefined : nodes }, states, stopped);
  await served[Symbol.asyncDispose]();
  if (options.output === "text") out.write("Stopped\n");
}

/** The cluster validates what the file contains. */
async function readOption<T>(what: string, file: string, read: (text: string) => T): Promise<T> {
  try {
    return read(await readFile(file, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError("CONFIG_INVALID", `Cannot read the ${what} "${file}": ${why}`, { cause: error });
  }
}

function check(options: ClusterStartOptions): void {
  const { name, output, kubeconfig, mergeKubeconfig: merge, setContext } = options;
  const fail = (why: string): never => {
    throw new OperatorError("CONFIG_INVALID", `Cannot start cluster "${name}": ${why}`);
  };
  checkClusterName(name);
  if (output !== "text" && output !== "json") fail(`--output must be text or json, not "${output}"`);
  if (merge === true && kubeconfig !== undefined) fail("--kubeconfig and --merge-kubeconfig are mutually exclusive");
  if (options.realNode === true && options.workloads === false)
    fail("--real-node needs the controllers and the scheduler; omit --no-workloads");
  if (setContext === true && merge !== true) fail("--set-context requires --merge-kubeconfig");
}

function printReady(
  state: ClusterState,
  { output, detach, setContext }: ClusterStartOptions,
  streams: CommandStreams,
  readyMs?: number,
): void {
  const { out } = streams;
  const { name, url, pid, kubeconfigFile: file, dataDir } = state;
  if (output === "json") {
    const context = file === undefined ? contextName(name) : "kubewright";
    out.write(
      `${JSON.stringify({ name, url, kubeconfig: file ?? state.mergedInto, context, readyMs, pid, dataDir })}\n`,
    );
    return;
  }
  const paint = painterFor(streams);
  const bold = (text: string): string => paint("bold", text);
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

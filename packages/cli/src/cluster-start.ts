import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { styleText } from "node:util";
import { startCluster } from "@kubewright/cluster";
import { OperatorError } from "@kubewright/core/errors";
import type { CommandStreams } from "./command-streams.js";

/** The options of `kubewright cluster start`. */
export interface ClusterStartOptions {
  readonly kubeconfig: string;
  readonly port?: number;
  readonly output: string;
}

/** Stands in each kubeconfig that this command writes: a file without it is somebody's own, and is not touched. */
const mark = "# Written by kubewright cluster start";

/** Serves an embedded cluster until it is told to stop; then takes the kubeconfig away, which would lead nowhere. */
export async function startClusterCommand(
  options: ClusterStartOptions,
  { out, signal }: CommandStreams,
): Promise<void> {
  if (options.output !== "text" && options.output !== "json") {
    throw new OperatorError("CONFIG_INVALID", `Cannot write "${options.output}": --output is text or json`);
  }
  const file = resolve(options.kubeconfig);
  await refuseForeignFile(file);
  const stopped = signal ?? stopSignal();
  const startedMs = performance.now();
  await using cluster = await startCluster();
  const served = await cluster.listen({ host: "127.0.0.1", ...(options.port !== undefined && { port: options.port }) });
  const readyMs = Math.round(performance.now() - startedMs);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${mark}\n${served.kubeconfig}`, { mode: 0o600 });
  if (options.output === "json")
    out.write(`${JSON.stringify({ url: served.url, kubeconfig: file, readyMs, pid: process.pid })}\n`);
  else out.write(greeting(served.url, file, readyMs, out.isTTY === true));
  await untilAborted(stopped);
  await rm(file, { force: true });
  if (options.output === "text") out.write("Stopped\n");
}

async function refuseForeignFile(file: string): Promise<void> {
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new OperatorError("CONFIG_INVALID", `Cannot write kubeconfig "${file}": ${error.message}`, { cause: error });
  });
  if (content !== undefined && !content.startsWith(mark)) {
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot write kubeconfig "${file}": it holds a configuration of your own; name another file`,
    );
  }
}

function greeting(url: string, file: string, readyMs: number, coloured: boolean): string {
  const bold = (text: string): string => (coloured ? styleText("bold", text) : text);
  return [
    `Kubernetes API server on ${bold(url)}, ready in ${readyMs} ms`,
    "",
    `  ${bold(`export KUBECONFIG=${relative(process.cwd(), file) || file}`)}`,
    `  ${bold("kubectl get namespaces")}`,
    "",
    "It lives in memory. Ctrl-C stops it.",
    "",
  ].join("\n");
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

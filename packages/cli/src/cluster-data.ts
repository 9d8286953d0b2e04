import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { sleep, systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { type ClusterRequest, ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright cluster snapshot`, `restore`, `reset` and `load-image`. */
export interface ClusterDataOptions {
  readonly name: string;
  readonly output: string;
}

const timeoutMs = 60_000;
const pollMs = 50;

/** Lets a running cluster write its objects to a file, take those of a file, reset, or take images for its real node. */
export async function clusterDataCommand(
  action: ClusterRequest["action"],
  file: string | undefined,
  { name, output }: ClusterDataOptions,
  { out, err, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  const states = new ClusterStates(environment);
  const state = await states.read(name);
  const verb = action === "load-image" ? "load an image into cluster" : `${action} cluster`;
  const fail = (why: string): OperatorError => new OperatorError("CONFIG_INVALID", `Cannot ${verb} "${name}": ${why}`);
  if (!state || (await healthOf(state)) !== "running") {
    err.write(
      `Cannot ${verb} "${name}": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n`,
    );
    return exitCodes.notRunning;
  }
  const path = file === undefined ? undefined : resolve(file);
  if (
    (action === "restore" || action === "load-image") &&
    path !== undefined &&
    !(await stat(path).catch(() => undefined))?.isFile()
  )
    throw fail(`there is no file "${file}"`);
  const id = randomUUID();
  await states.request(state, { id, action, ...(path !== undefined && { file: path }) });
  const limitMs = systemClock.monotonic() + timeoutMs;
  let response = await states.takeResponse(state, id);
  while (response === undefined) {
    if (systemClock.monotonic() > limitMs) throw fail(`process ${state.pid} does not respond`);
    await sleep(systemClock, pollMs);
    response = await states.takeResponse(state, id);
  }
  const { error, objects } = response;
  if (error !== undefined) throw fail(error);
  if (output === "json") out.write(`${JSON.stringify({ name, action, file: path, objects })}\n`);
  else if (action === "snapshot") out.write(`Wrote ${objects} objects of cluster "${name}" to ${file}\n`);
  else if (action === "load-image") out.write(`The node of cluster "${name}" has the images of ${file}\n`);
  else if (action === "restore") out.write(`Cluster "${name}" has the objects of ${file}\n`);
  else out.write(`Cluster "${name}" has the objects of a new cluster\n`);
  return exitCodes.done;
}

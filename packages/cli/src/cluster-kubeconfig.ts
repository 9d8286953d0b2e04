import { parse } from "yaml";
import { ClusterStates, healthOf } from "./cluster-state.js";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { contextName, mergeKubeconfig, userKubeconfig } from "./merge-kubeconfig.js";

/** The options of `kubewright cluster kubeconfig`. */
export interface ClusterKubeconfigOptions {
  readonly name: string;
  readonly merge?: boolean;
  readonly setContext?: boolean;
  /** The user to impersonate. */
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly output?: string;
}

/** Prints the kubeconfig of a running cluster, or merges it into the user's. */
export async function clusterKubeconfigCommand(
  { name, merge, setContext, output = "text", ...acting }: ClusterKubeconfigOptions,
  { out, err, environment = process.env }: CommandStreams,
): Promise<ExitCode> {
  if (acting.as === undefined && (acting.asGroup !== undefined || acting.asUid !== undefined)) {
    err.write("Cannot write a kubeconfig with --as-group or --as-uid alone: name the user with --as\n");
    return exitCodes.wrongUsage;
  }
  const states = new ClusterStates(environment);
  const state = await states.read(name);
  if (!state || (await healthOf(state)) === "terminated") {
    err.write(
      `Cannot show the kubeconfig of cluster "${name}": no cluster of that name is running; kubewright cluster status lists yours, kubewright cluster start starts one\n`,
    );
    return exitCodes.notRunning;
  }
  if (merge !== true) {
    const kubeconfig = actingAs(state.kubeconfig, acting);
    // JSON is YAML too: kubectl reads both.
    out.write(output === "json" ? `${JSON.stringify(parse(kubeconfig))}\n` : kubeconfig);
    return exitCodes.done;
  }
  const file = userKubeconfig(environment);
  await mergeKubeconfig(state.kubeconfig, { file, name, setContext: setContext === true });
  await states.write({ ...state, mergedInto: file });
  if (output === "json") {
    out.write(`${JSON.stringify({ context: contextName(name), file, current: setContext === true })}\n`);
    return exitCodes.done;
  }
  const use = setContext === true ? "it is the current context" : `use it with --context ${contextName(name)}`;
  out.write(`Added context "${contextName(name)}" to ${file}; ${use}\n`);
  return exitCodes.done;
}

/** A kubeconfig whose user impersonates another one: kubectl and other clients then have that user's permissions. */
function actingAs(
  kubeconfig: string,
  { as, asGroup = [], asUid }: Pick<ClusterKubeconfigOptions, "as" | "asGroup" | "asUid">,
): string {
  if (as === undefined) return kubeconfig;
  const fields = [
    `as: ${JSON.stringify(as)}`,
    ...(asGroup.length > 0 ? [`as-groups: ${JSON.stringify(asGroup)}`] : []),
    ...(asUid === undefined ? [] : [`as-uid: ${JSON.stringify(asUid)}`]),
  ];
  return kubeconfig.replace(/^( *)client-key-data: .*$/m, (line, indent: string) =>
    [line, ...fields.map((field) => `${indent}${field}`)].join("\n"),
  );
}

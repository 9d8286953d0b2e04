/**
 * `kubewright doctor`: what is wrong with a project, its cluster or its deployment.
 *
 * @module
 */
import { systemClock } from "@kubewright/core/clock";
import type { Operator } from "kubewright";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { connectTo, loadOperator, type TargetOptions } from "../load-operator.js";
import { type Painter, painterFor } from "../painter.js";
import { type Check, type CheckResult, ok, resultOf } from "./check.js";
import { clusterChecks } from "./cluster-checks.js";
import { deploymentChecks } from "./deployment-checks.js";
import { projectChecks } from "./project-checks.js";

/** The options of `kubewright doctor`. */
export interface DoctorOptions extends TargetOptions {
  readonly namespace?: string;
  readonly output: string;
}

const signs = { ok: "✔", warning: "!", failed: "✘", skipped: "-" } as const;
const colours = { ok: "green", warning: "yellow", failed: "red", skipped: "dim" } as const;

/** Runs all checks and prints each result as it is known. Resolves with `failed` when one of them failed. */
export async function doctorCommand(
  module: string,
  options: DoctorOptions,
  streams: CommandStreams,
): Promise<ExitCode> {
  const { out } = streams;
  const paint = painterFor(streams);
  const results: (CheckResult & { readonly name: string })[] = [];
  const check = async (one: Check): Promise<CheckResult> => {
    const result = await resultOf(one);
    results.push({ name: one.name, ...result });
    if (options.output === "text") out.write(lines(one.name, result, paint));
    return result;
  };
  for (const one of projectChecks(module)) await check(one);
  let operator: Operator | undefined;
  await check({
    name: "operator",
    run: async () => {
      operator = await loadOperator(module);
      const { length } = [...operator.controllers, ...operator.rawControllers];
      return ok(`${operator.name}, with ${length} controller${length === 1 ? "" : "s"}`);
    },
  });
  let client: Awaited<ReturnType<typeof connectTo>> | undefined;
  await check({
    name: "kubeconfig",
    run: async () => {
      client = await connectTo(options);
      return ok(`namespace "${client.namespace}"`);
    },
  });
  if (operator !== undefined && client !== undefined) {
    await using open = client;
    const namespace = options.namespace ?? `${operator.name}-system`;
    const [server, ...others] = [
      ...clusterChecks(open, operator),
      ...deploymentChecks(open, operator, { namespace, clock: systemClock }),
    ];
    // Without a server every other check would repeat its error.
    const isReached = server === undefined || (await check(server)).status !== "failed";
    if (isReached) for (const one of others) await check(one);
  }
  const failed = results.filter(({ status }) => status === "failed").length;
  if (options.output === "json") out.write(`${JSON.stringify({ failed, checks: results })}\n`);
  else out.write(failed === 0 ? "No failures\n" : `${failed} of ${results.length} checks failed\n`);
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

function lines(name: string, { status, detail, remedy }: CheckResult, paint: Painter): string {
  return `${paint(colours[status], signs[status])} ${name}: ${detail}\n${remedy === undefined ? "" : `    fix: ${remedy}\n`}`;
}

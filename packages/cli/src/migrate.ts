import { migrateStored } from "kubewright/crd";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { connectTo, loadOperator, type TargetOptions } from "./load-operator.js";
import { resourcesOf } from "./resources-of.js";

/** The options of `kubewright migrate`. */
export interface MigrateOptions extends TargetOptions {
  readonly output: string;
}

/** Migrates the stored objects of every kind of an operator, with progress. Rejects when a CRD is not installed. */
export async function migrateCommand(
  module: string,
  options: MigrateOptions,
  { out, signal }: CommandStreams,
): Promise<ExitCode> {
  const operator = await loadOperator(module);
  await using client = await connectTo(options);
  const isJson = options.output === "json";
  const reports = [];
  for (const kind of resourcesOf(operator)) {
    const crd = `${kind.plural}.${kind.group}`;
    const report = await migrateStored(kind, {
      client,
      onProgress: ({ done, remaining }) => {
        const left = remaining === undefined || remaining === 0 ? "" : `, ${remaining} left`;
        if (!isJson) out.write(`${crd}: ${done} objects written${left}\n`);
      },
      ...(signal && { signal }),
    });
    reports.push({ crd, ...report });
    if (isJson) continue;
    const { from, to, objects } = report;
    const what = from.length === 0 ? "nothing to migrate" : `${objects} objects migrated from ${from.join(", ")}`;
    out.write(`${crd}: ${what}; all are stored in ${to}\n`);
  }
  if (isJson) out.write(`${JSON.stringify({ migrated: reports })}\n`);
  return exitCodes.done;
}

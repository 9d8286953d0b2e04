import { readFile, writeFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { nodeImage } from "@kubewright/cluster/real-node";
import { OperatorError } from "@kubewright/core/errors";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

/** The options of `kubewright cluster build-image`. */
export interface BuildImageOptions {
  readonly image: string;
  readonly out?: string;
  readonly output: string;
}

/** A registry's host, a path, and a tag, as image references have them. */
const reference = /^[a-z0-9][a-z0-9.:-]*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Writes an image archive of this machine's Node.js and a bundled program. */
export async function buildImageCommand(
  program: string,
  { image, out: outFile, output }: BuildImageOptions,
  { out }: CommandStreams,
): Promise<ExitCode> {
  const fail = (why: string, cause?: unknown): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot build image "${image}": ${why}`, { cause });
  if (process.platform !== "linux")
    throw fail(`it would contain the Node.js of this machine, which runs ${process.platform}, not Linux`);
  if (!reference.test(image)) throw fail('it is no image name with a tag, such as "example.com/operator:1.0"');
  const content = await readFile(program).catch((error: unknown) => {
    throw fail(`cannot read "${program}": ${error instanceof Error ? error.message : String(error)}`, error);
  });
  const extension = extname(program) === ".cjs" ? ".cjs" : ".mjs";
  const archive = await nodeImage({ name: image, program: content, file: `main${extension}` });
  const file = outFile ?? `${basename(program, extname(program))}.tar`;
  await writeFile(resolve(file), archive).catch((error: unknown) => {
    throw fail(`cannot write "${file}": ${error instanceof Error ? error.message : String(error)}`, error);
  });
  if (output === "json") out.write(`${JSON.stringify({ image, file: resolve(file), bytes: archive.length })}\n`);
  else out.write(`Wrote image ${image} to ${file} (${Math.round(archive.length / 2 ** 20)} MiB)\n`);
  return exitCodes.done;
}

import { OperatorError } from "@kubewright/core/errors";
import { isJsonObject } from "@kubewright/core/json";
import { formatRun, type RecordedRun } from "kubewright";
import type { CommandStreams } from "./command-streams.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { getFromOperator, type OperatorAddress } from "./operator-endpoint.js";
import { type Painter, painterFor } from "./painter.js";
import { runColours } from "./run-colours.js";

/** The options of `kubewright why`. */
export interface WhyOptions {
  readonly namespace: string;
  readonly url?: string;
  readonly token?: string;
  readonly certificateAuthority?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly output: "text" | "json";
}

/** Prints the last runs of an object, from the endpoint of a running operator. */
export async function whyCommand(object: string, options: WhyOptions, streams: CommandStreams): Promise<ExitCode> {
  const { out, err, environment = process.env } = streams;
  if (!/^[^/]+\/.+$/.test(object)) {
    err.write(`error: Cannot explain "${object}": name the object as type/name, such as website/shop\n`);
    return exitCodes.wrongUsage;
  }
  const address: OperatorAddress = {
    url: options.url ?? environment["KUBEWRIGHT_OPERATOR_URL"] ?? "http://127.0.0.1:8080",
    token: options.token ?? environment["KUBEWRIGHT_TOKEN"],
    certificateAuthority: options.certificateAuthority,
    acceptsAnyCertificate: options.insecureSkipTlsVerify === true,
  };
  const query = new URLSearchParams({ object, namespace: options.namespace });
  const { status, body } = await getFromOperator(address, `/debug/runs?${query}`);
  const parsed = parse(body);
  const runs = parsed?.["runs"];
  if (status !== 200 || !Array.isArray(runs)) {
    const reason = typeof parsed?.["error"] === "string" ? parsed["error"] : undefined;
    const isUnknown = status === 404 && reason !== undefined;
    if (!isUnknown) throw unexpected(object, address, status, reason);
    err.write(`error: Cannot explain "${object}": ${reason}\n`);
    return exitCodes.notFound;
  }
  const found = runs as unknown as readonly RecordedRun[];
  if (options.output === "json") out.write(`${JSON.stringify({ runs: found }, undefined, 2)}\n`);
  else out.write(`${textOf(found, painterFor(streams))}\n`);
  return exitCodes.done;
}

/** The runs of each controller under its name, where there are several. */
function textOf(runs: readonly RecordedRun[], paint: Painter): string {
  const controllers = [...new Set(runs.map(({ controller }) => controller))];
  const format = (run: RecordedRun): string => formatRun(run, runColours(paint));
  return controllers
    .map((name) => {
      const own = runs.filter(({ controller }) => controller === name).map(format);
      return [...(controllers.length > 1 ? [`controller ${name}`] : []), ...own].join("\n");
    })
    .join("\n\n");
}

function unexpected(
  object: string,
  { url }: OperatorAddress,
  status: number,
  reason: string | undefined,
): OperatorError {
  const hints: Readonly<Record<number, string>> = {
    401: "the token is missing or invalid; use --token",
    403: "the user of the token may not `get` the non-resource URL /debug/runs",
    404: "it serves no runs; is it the metrics address of a Kubewright operator?",
  };
  const why = reason ?? hints[status] ?? "it is not the metrics address of a Kubewright operator";
  return new OperatorError(
    "TRANSPORT_FAILED",
    `Cannot explain "${object}": "${url}" responded with status ${status}: ${why}`,
  );
}

function parse(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

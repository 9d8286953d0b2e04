import { type FieldError, forbidden, invalid as invalidField } from "@kubewright/core/schema";
import { badRequest, invalid, isTrue, parseInteger } from "../registry/index.js";

/** PodLogOptions of a request. */
export interface PodLogOptions {
  /** Empty if the request names none. */
  readonly container: string;
  readonly follow: boolean;
  /** The log of the run before the last restart. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly sinceMs: number | undefined;
  /** As sent, for a kubelet. */
  readonly sinceTime: string | undefined;
  /** Accepts any certificate of the kubelet. */
  readonly isUnverified: boolean;
}

/** Parses PodLogOptions. Throws kube-apiserver's rejection. */
export function parsePodLogOptions(query: Readonly<Record<string, string>>, pod: string): PodLogOptions {
  const options: PodLogOptions = {
    container: query["container"] ?? "",
    follow: isTrue(query["follow"]),
    previous: isTrue(query["previous"]),
    timestamps: isTrue(query["timestamps"]),
    tailLines: parseInteger(query["tailLines"]),
    limitBytes: parseInteger(query["limitBytes"]),
    sinceSeconds: parseInteger(query["sinceSeconds"]),
    sinceMs: timeIn(query["sinceTime"]),
    sinceTime: query["sinceTime"],
    isUnverified: isTrue(query["insecureSkipTLSVerifyBackend"]),
  };
  const errors = problems(options);
  if (query["stream"] !== undefined) errors.push(forbidden("stream", "may not be specified"));
  if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, pod, errors);
  return options;
}

function problems({ tailLines = 0, limitBytes = 1, sinceSeconds, sinceMs }: PodLogOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines < 0) errors.push(invalidField("tailLines", tailLines, "must be greater than or equal to 0"));
  if (limitBytes < 1) errors.push(invalidField("limitBytes", limitBytes, "must be greater than 0"));
  if (sinceSeconds !== undefined && sinceMs !== undefined)
    errors.push(forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalidField("sinceSeconds", sinceSeconds, "must be greater than 0"));
  return errors;
}

function timeIn(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms))
    throw badRequest(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
    );
  return ms;
}

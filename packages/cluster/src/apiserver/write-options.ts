import type { JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import { type FieldValidation, invalid, isTrue, unsupportedMediaType, type WriteOptions } from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import { bodyTypes } from "./read-body.js";
import { dryRunOf } from "./request-query.js";

const longestManager = 128;

/** A request, and the receiver of its warnings. */
interface WriteCall {
  readonly request: ApiRequest;
  warn(text: string): void;
}

/** The options kind of a write. */
export type WriteKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "ApplyOptions";

/** Parses the options of a create, update, patch or apply from the query. */
export function parseWriteOptions({ request, warn }: WriteCall, kind: WriteKind): WriteOptions {
  const { query } = request;
  const errors: FieldError[] = [];
  const manager = query["fieldManager"] ?? "";
  if (kind === "ApplyOptions" && manager === "")
    errors.push({ type: "Required", field: "fieldManager", badValue: "", detail: "is required for apply patch" });
  if (kind === "PatchOptions" && query["force"] !== undefined)
    errors.push({
      type: "Forbidden",
      field: "force",
      badValue: "",
      detail: "may not be specified for non-apply patch",
    });
  if (manager.length > longestManager)
    errors.push({
      type: "TooLong",
      field: "fieldManager",
      badValue: "",
      detail: `may not be more than ${longestManager} bytes`,
    });
  errors.push(...unprintable(manager));
  const dryRun = dryRunOf(request);
  errors.push(...checkDryRun(dryRun));
  const validation = query["fieldValidation"] ?? "";
  if (!["", "Strict", "Warn", "Ignore"].includes(validation))
    errors.push({
      type: "NotSupported",
      field: "fieldValidation",
      badValue: validation,
      detail: 'supported values: "", "Ignore", "Strict", "Warn"',
    });
  if (errors.length > 0)
    throw invalid({ group: "meta.k8s.io", kind: kind === "ApplyOptions" ? "PatchOptions" : kind }, "", errors);
  requireBodyType(request);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === "" ? defaultManager(request) : manager,
    fieldValidation: (validation === "" ? "Warn" : validation) as FieldValidation,
    force: isTrue(query["force"]),
    user: request.user,
    parameters: query,
    warn,
    ...(request.observe && { observe: request.observe }),
    ...(request.annotate && { annotate: request.annotate }),
  };
}

/** Rejects a body of an unsupported media type, after the options were checked. */
export function requireBodyType({ body }: ApiRequest): void {
  if (body.malformed?.format === "unsupported") throw unsupportedMediaType(bodyTypes);
}

/** Rejects an unprintable character in the name of a field manager. */
function unprintable(manager: string): FieldError[] {
  const found = /[\p{C}\p{Zl}\p{Zp}]/u.exec(manager);
  if (!found) return [];
  const code = found[0].codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  const detail = `invalid character U+${hex} (at position ${Buffer.byteLength(manager.slice(0, found.index))})`;
  return [{ type: "Invalid", field: "fieldManager", badValue: manager, detail }];
}

/** The default field manager is the user agent up to the first slash. */
function defaultManager(request: ApiRequest): string {
  const agent = request.headers["user-agent"] ?? "";
  return agent.split("/", 1)[0]?.slice(0, longestManager) || "unknown";
}

/** Rejects values of `dryRun` other than `All`. */
export function checkDryRun(values: readonly JsonValue[]): FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [{ type: "NotSupported", field: "dryRun", badValue: values, detail: 'supported values: "All"' }];
}

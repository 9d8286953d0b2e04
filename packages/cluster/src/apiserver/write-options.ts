import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { isJsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import {
  badRequest,
  type DeleteOptions,
  type FieldValidation,
  invalid,
  isTrue,
  jsonTypeOf,
  textAt,
  unsupportedMediaType,
  type WriteOptions,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import { bodyTypes } from "./read-body.js";
import { dryRunOf } from "./request-query.js";

const longestManager = 128;

/** What a create, update or patch asks for in its query; `kind` names the options in messages. */
export function parseWriteOptions(
  request: ApiRequest,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  isApply: boolean,
  warn: (text: string) => void,
): WriteOptions {
  const { query } = request;
  const errors: FieldError[] = [];
  const manager = query["fieldManager"] ?? "";
  if (kind === "PatchOptions") {
    if (isApply && manager === "")
      errors.push({ type: "Required", field: "fieldManager", badValue: "", detail: "is required for apply patch" });
    if (!isApply && query["force"] !== undefined)
      errors.push({
        type: "Forbidden",
        field: "force",
        badValue: "",
        detail: "may not be specified for non-apply patch",
      });
  }
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
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind }, "", errors);
  requireBodyType(request);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === "" ? defaultManager(request) : manager,
    fieldValidation: (validation === "" ? "Warn" : validation) as FieldValidation,
    force: isTrue(query["force"]),
    warn,
  };
}

/** Rejects a body of an unsupported media type, after the options were checked. */
function requireBodyType({ body }: ApiRequest): void {
  if (body.malformed?.format === "unsupported") throw unsupportedMediaType(bodyTypes);
}

/** The first character of each manager's name that cannot be printed. */
function unprintable(manager: string): FieldError[] {
  const found = /[\p{C}\p{Zl}\p{Zp}]/u.exec(manager);
  if (!found) return [];
  const code = found[0].codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  const detail = `invalid character U+${hex} (at position ${Buffer.byteLength(manager.slice(0, found.index))})`;
  return [{ type: "Invalid", field: "fieldManager", badValue: manager, detail }];
}

/** A real server names a writer that gives no name by the first word of its user agent. */
function defaultManager(request: ApiRequest): string {
  const agent = request.headers["user-agent"] ?? "";
  return agent.split("/", 1)[0]?.slice(0, longestManager) || "unknown";
}

function checkDryRun(values: readonly JsonValue[]): FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [{ type: "NotSupported", field: "dryRun", badValue: values, detail: 'supported values: "All"' }];
}

/** What a delete asks for, in its body or its query. */
export function parseDeleteOptions(request: ApiRequest): DeleteOptions {
  requireBodyType(request);
  const { value, malformed } = request.body;
  if (malformed) throw badRequest(`couldn't get version/kind; json parse error: ${malformed.message}`);
  const isGiven = value !== undefined && value !== null;
  if (isGiven && !isJsonObject(value))
    throw badRequest("couldn't get version/kind; json parse error: the body must be an object");
  // A body, also an empty object, replaces the query.
  const options: JsonObject = isGiven ? value : fromQuery(request);
  const kind = textAt(options, "kind");
  const apiVersion = textAt(options, "apiVersion");
  if (kind !== "" && kind !== "DeleteOptions")
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  checkOptionTypes(options);
  const errors: FieldError[] = [];
  const policy = options["propagationPolicy"];
  if (
    policy !== undefined &&
    policy !== null &&
    policy !== "Foreground" &&
    policy !== "Background" &&
    policy !== "Orphan"
  )
    errors.push({
      type: "NotSupported",
      field: "propagationPolicy",
      badValue: policy,
      detail: 'supported values: "Foreground", "Background", "Orphan", "nil"',
    });
  const orphan = options["orphanDependents"];
  if (typeof orphan === "boolean" && typeof policy === "string")
    errors.push({
      type: "Invalid",
      field: "propagationPolicy",
      badValue: policy,
      detail: "orphanDependents and deletionPropagation cannot be both set",
    });
  const given = options["dryRun"];
  const dryRun = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  errors.push(...checkDryRun(dryRun));
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const preconditions = options["preconditions"];
  const grace = options["gracePeriodSeconds"];
  return {
    dryRun: dryRun.length > 0,
    ...(policy === "Foreground" || policy === "Background" || policy === "Orphan" ? { propagationPolicy: policy } : {}),
    ...(typeof orphan === "boolean" ? { propagationPolicy: orphan ? "Orphan" : "Background" } : {}),
    ...(orphan === false ? { cascades: true } : {}),
    ...(typeof grace === "number" ? { gracePeriodSeconds: grace } : {}),
    ...(isJsonObject(preconditions) ? { preconditions: preconditions as DeleteOptions["preconditions"] & object } : {}),
  };
}

/** The Go types of delete options, by what JSON has for them. */
const optionTypes: readonly (readonly [field: string, type: string, fits: (value: JsonValue) => boolean])[] = [
  ["gracePeriodSeconds", "int64", (value) => Number.isInteger(value)],
  ["preconditions", "v1.Preconditions", isJsonObject],
  ["orphanDependents", "bool", (value) => typeof value === "boolean"],
  ["propagationPolicy", "v1.DeletionPropagation", (value) => typeof value === "string"],
  ["dryRun", "[]string", Array.isArray],
];

function checkOptionTypes(options: JsonObject): void {
  for (const [field, type, fits] of optionTypes) {
    const value = options[field];
    if (value === undefined || value === null || fits(value)) continue;
    throw badRequest(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field DeleteOptions.${field} of type ${type}`,
    );
  }
}

function fromQuery(request: ApiRequest): JsonObject {
  const { query } = request;
  const options: Record<string, JsonValue> = {};
  if (query["propagationPolicy"] !== undefined) options["propagationPolicy"] = query["propagationPolicy"];
  if (query["orphanDependents"] !== undefined) options["orphanDependents"] = isTrue(query["orphanDependents"]);
  options["dryRun"] = dryRunOf(request);
  const grace = query["gracePeriodSeconds"];
  if (grace !== undefined) {
    if (!/^[+-]?\d+$/.test(grace))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
    options["gracePeriodSeconds"] = Number(grace);
  }
  return options;
}

import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import {
  badRequest,
  type DeleteOptions,
  invalid,
  isTrue,
  jsonTypeOf,
  optionalNumber,
  type PropagationPolicy,
  parseInteger,
  textAt,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import { dryRunOf } from "./request-query.js";
import { checkDryRun, requireBodyType } from "./write-options.js";

/** Parses DeleteOptions from the body or the query. */
export function parseDeleteOptions(request: ApiRequest): DeleteOptions {
  requireBodyType(request);
  const { value, malformed } = request.body;
  if (malformed) throw badRequest(`couldn't get version/kind; json parse error: ${malformed.message}`);
  const isGiven = value !== undefined && value !== null;
  if (isGiven && !isJsonObject(value))
    throw badRequest("couldn't get version/kind; json parse error: the body must be an object");
  // A body, even an empty object, replaces the query.
  const options: JsonObject = isGiven ? value : fromQuery(request);
  const kind = textAt(options, "kind");
  const apiVersion = textAt(options, "apiVersion");
  if (kind !== "" && kind !== "DeleteOptions")
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  checkOptionTypes(options);
  const errors: FieldError[] = [];
  const policy = options["propagationPolicy"] ?? undefined;
  if (policy !== undefined && !isPolicy(policy))
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
  const { dryRun: given } = options;
  const dryRun: readonly JsonValue[] = Array.isArray(given) ? given : [];
  errors.push(...checkDryRun(dryRun));
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const preconditions = options["preconditions"];
  const grace = optionalNumber(options, "gracePeriodSeconds");
  return {
    dryRun: dryRun.length > 0,
    ...(isPolicy(policy) ? { propagationPolicy: policy } : {}),
    ...(typeof orphan === "boolean" ? { propagationPolicy: orphan ? "Orphan" : "Background" } : {}),
    ...(orphan === false ? { cascades: true } : {}),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    sent: sentOptions(options),
    ...(isJsonObject(preconditions) ? { preconditions: preconditions as DeleteOptions["preconditions"] & object } : {}),
  };
}

const sentFields = ["gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun"];

/** The options that admission sees: without empty values. */
function sentOptions(options: JsonObject): JsonObject {
  const sent: Record<string, JsonValue> = {};
  for (const field of sentFields) {
    const value = options[field] ?? null;
    if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)) sent[field] = value;
  }
  return sent;
}

function isPolicy(value: JsonValue | undefined): value is PropagationPolicy {
  return value === "Foreground" || value === "Background" || value === "Orphan";
}

/** The types of delete options, in Go and in JSON. */
const optionTypes: readonly (readonly [field: string, type: string, fits: (value: JsonValue) => boolean])[] = [
  ["gracePeriodSeconds", "int64", (value) => typeof value === "bigint" || Number.isSafeInteger(value)],
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
  const grace = parseInteger(query["gracePeriodSeconds"]);
  if (grace !== undefined) options["gracePeriodSeconds"] = grace;
  return options;
}

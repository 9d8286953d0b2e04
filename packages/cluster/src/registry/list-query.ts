import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubewright/core/selector";
import { ApiFailure, badRequest, invalid } from "./api-failure.js";
import { decodeContinue } from "./continue-token.js";
import { metadataOf, objectAt, textAt } from "./draft.js";
import { parseInteger } from "./parse-integer.js";
import type { Resource } from "./resource.js";
import { uintProblem } from "./resource-version.js";

/** The validated query parameters of a list or a watch. */
export interface ListQuery {
  /** 0 for "any" and for unset. */
  readonly revision: number;
  /** Whether the client set a resourceVersion. */
  readonly versioned: boolean;
  readonly match: "" | "Exact" | "NotOlderThan";
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  /** Whether there is a selector. */
  readonly selective: boolean;
  /** The name that the field selector requires; undefined if it requires none. */
  readonly onlyName: string | undefined;
  matches(object: JsonObject): boolean;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Undefined for the server's default. */
  readonly timeoutSeconds: number | undefined;
}

type Query = Readonly<Record<string, string>>;

/** The parts of a resource that determine its selectable fields. */
type SelectedResource = Pick<Resource, "origin" | "namespaced"> & {
  readonly strategy: Pick<Resource["strategy"], "selectableFields" | "unknownFieldLabel">;
};

/** Parses the query parameters of a list or a watch. Throws a 400 or 422 if they are invalid. */
export function parseListQuery(resource: SelectedResource, query: Query, isWatch: boolean): ListQuery {
  const version = query["resourceVersion"] ?? "";
  // kube-apiserver's order: numbers, selectors, combinations of options, resourceVersion.
  const timeoutSeconds = parseInteger(query["timeoutSeconds"]);
  const limit = parseInteger(query["limit"]) ?? 0;
  const labels = query["labelSelector"] ?? "";
  const fields = query["fieldSelector"] ?? "";
  const labelSelector = labels === "" ? undefined : parseLabels(labels);
  const fieldSelector = fields === "" ? undefined : parseFields(fields);
  checkOptions(query, isWatch);
  if (fieldSelector) checkFields(resource, fieldSelector);
  const continueToken = query["continue"] ?? "";
  if (isWatch || continueToken === "") checkVersion(version, isWatch);
  else {
    decodeContinue(continueToken);
    if (version !== "" && version !== "0")
      throw badRequest("specifying resource version is not allowed when using continue");
  }
  return {
    revision: Number(version),
    versioned: version !== "",
    match: matchOf(query["resourceVersionMatch"]),
    // kube-apiserver lists resourceVersion 0 from its watch cache, which ignores the limit.
    limit: version === "0" ? 0 : limit,
    continueToken,
    selective: labels !== "" || fields !== "",
    ...matcherOf(resource, labelSelector, fieldSelector),
    allowBookmarks: isTrue(query["allowWatchBookmarks"]),
    sendInitialEvents: query["sendInitialEvents"] === undefined ? undefined : isTrue(query["sendInitialEvents"]),
    timeoutSeconds,
  };
}

function checkVersion(version: string, isWatch: boolean): void {
  const problem = versionProblem(version);
  if (problem === undefined) return;
  // kube-apiserver responds with a 500 if the resourceVersion of a watch is not a number.
  throw isWatch ? notAVersion(problem) : badRequest(`invalid resource version: ${problem}`);
}

/** The minimum resourceVersion of a get; 0 for any. Throws the rejection of a malformed one. */
export function parseGetVersion(query: Query): number {
  const version = query["resourceVersion"] ?? "";
  const problem = versionProblem(version);
  if (problem !== undefined) throw notAVersion(problem);
  return Number(version);
}

function versionProblem(version: string): string | undefined {
  const problem = uintProblem(version);
  return problem && `resourceVersion: Invalid value: ${JSON.stringify(version)}: ${problem}`;
}

function notAVersion(problem: string): ApiFailure {
  return new ApiFailure(500, "", problem);
}

/** Parses a boolean query parameter: every value but `false` and `0` is true. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && value.toLowerCase() !== "false" && value !== "0";
}

function matchOf(text: string | undefined): ListQuery["match"] {
  return text === "Exact" || text === "NotOlderThan" ? text : "";
}

function checkOptions(query: Query, isWatch: boolean): void {
  const errors = isWatch ? watchProblems(query) : listProblems(query);
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
}

function forbidden(field: string, detail: string): FieldError {
  return { type: "Forbidden", field, badValue: "", detail };
}

function unsupportedMatch(match: string, supported: string): FieldError {
  return {
    type: "NotSupported",
    field: "resourceVersionMatch",
    badValue: match,
    detail: `supported values: ${supported}`,
  };
}

const withContinue = forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");

function listProblems(query: Query): FieldError[] {
  const errors: FieldError[] = [];
  const match = query["resourceVersionMatch"] ?? "";
  const version = query["resourceVersion"] ?? "";
  if (match !== "") {
    if (version === "")
      errors.push(
        forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"),
      );
    if ((query["continue"] ?? "") !== "") errors.push(withContinue);
    if (match !== "Exact" && match !== "NotOlderThan")
      errors.push(unsupportedMatch(match, '"Exact", "NotOlderThan", ""'));
    if (match === "Exact" && version === "0")
      errors.push(
        forbidden("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
  }
  if (query["sendInitialEvents"] !== undefined)
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

function watchProblems(query: Query): FieldError[] {
  const errors: FieldError[] = [];
  const version = query["resourceVersion"] ?? "";
  let match = query["resourceVersionMatch"] ?? "";
  let initial = query["sendInitialEvents"];
  // kube-apiserver's defaults for a watch with resourceVersion unset or 0.
  if (match === "" && initial === undefined && (version === "" || version === "0")) {
    match = "NotOlderThan";
    initial = "true";
  }
  if (initial !== undefined && match !== "NotOlderThan")
    errors.push(
      forbidden("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
    );
  if (match === "") return errors;
  if (initial === undefined)
    errors.push(
      forbidden(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      ),
    );
  if (match !== "NotOlderThan") errors.push(unsupportedMatch(match, '"NotOlderThan"'));
  if ((query["continue"] ?? "") !== "") errors.push(withContinue);
  return errors;
}

function matcherOf(
  resource: SelectedResource,
  labelSelector: LabelSelector | undefined,
  fieldSelector: FieldSelector | undefined,
): Pick<ListQuery, "matches" | "onlyName"> {
  if (!labelSelector && !fieldSelector) return { matches: () => true, onlyName: undefined };
  const named = fieldSelector?.requirements.find(
    ({ field, operator }) => field === "metadata.name" && operator === "=",
  );
  return {
    onlyName: named?.value,
    matches(object) {
      if (labelSelector && !labelSelector.matches(labelsOf(object))) return false;
      return !fieldSelector || fieldSelector.matches((field) => fieldOf(resource, object, field));
    },
  };
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  const labels = objectAt(metadataOf(object), "labels");
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

function parseLabels(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

function parseFields(text: string): FieldSelector {
  try {
    return parseFieldSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}

function checkFields({ origin, namespaced, strategy }: SelectedResource, selector: FieldSelector): void {
  const { selectableFields: own, unknownFieldLabel } = strategy;
  // Built-in cluster-scoped kinds with fields of their own do not list the namespace among them.
  const hasNamespace = namespaced || origin === "custom" || own === undefined;
  for (const { field } of selector.requirements) {
    if (field === "metadata.name" || (own && Object.hasOwn(own, field))) continue;
    if (field === "metadata.namespace" && hasNamespace) continue;
    if (unknownFieldLabel) throw badRequest(unknownFieldLabel(field));
    throw badRequest(
      own || origin === "custom"
        ? `field label not supported: ${field}`
        : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

function fieldOf(resource: SelectedResource, object: JsonObject, field: string): string {
  if (field === "metadata.name") return textAt(metadataOf(object), "name");
  if (field === "metadata.namespace") return textAt(metadataOf(object), "namespace");
  return resource.strategy.selectableFields?.[field]?.(object) ?? "";
}

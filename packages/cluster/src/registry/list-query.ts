import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { FieldError } from "@kubewright/core/schema";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubewright/core/selector";
import { ApiFailure, badRequest, invalid } from "./api-failure.js";
import { metadataOf, objectAt, textAt } from "./draft.js";
import type { Resource } from "./resource.js";

/** What a list or a watch asks for, checked. */
export interface ListQuery {
  /** 0 for "any" and for unset. */
  readonly revision: number;
  /** Whether a resource version was given at all. */
  readonly versioned: boolean;
  readonly match: "" | "Exact" | "NotOlderThan";
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  /** Whether a selector narrows the answer. */
  readonly selective: boolean;
  matches(object: JsonObject): boolean;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Undefined for the server's choice. */
  readonly timeoutSeconds: number | undefined;
}

type Query = Readonly<Record<string, string>>;

/** Reads the query of a list or watch request; throws the 400 or 422 that the client gets. */
export function parseListQuery(resource: Resource, query: Query, isWatch: boolean): ListQuery {
  const version = query["resourceVersion"] ?? "";
  if (!/^\d*$/.test(version))
    throw isWatch
      ? notAVersion(version)
      : badRequest(
          `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
        );
  if (version.length > 20 || (version.length === 20 && version > "18446744073709551615"))
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: value out of range`,
    );
  checkOptions(query, isWatch);
  const labels = query["labelSelector"] ?? "";
  const fields = query["fieldSelector"] ?? "";
  return {
    revision: Number(version),
    versioned: version !== "",
    match: matchOf(query["resourceVersionMatch"]),
    limit: integer(query["limit"]) ?? 0,
    continueToken: query["continue"] ?? "",
    selective: labels !== "" || fields !== "",
    matches: matcherOf(resource, labels, fields),
    allowBookmarks: isTrue(query["allowWatchBookmarks"]),
    sendInitialEvents: query["sendInitialEvents"] === undefined ? undefined : isTrue(query["sendInitialEvents"]),
    timeoutSeconds: integer(query["timeoutSeconds"]),
  };
}

/** 500, of all things: how a real server answers a get or a watch of a version that is no number. */
export function notAVersion(version: string): ApiFailure {
  const text = JSON.stringify(version);
  return new ApiFailure(
    500,
    "",
    `resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: invalid syntax`,
  );
}

/** Kubernetes takes every value but these for true. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== "false" && value !== "0";
}

function integer(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function matchOf(text: string | undefined): ListQuery["match"] {
  return text === "Exact" || text === "NotOlderThan" ? text : "";
}

function checkOptions(query: Query, isWatch: boolean): void {
  const errors: FieldError[] = [];
  const forbid = (field: string, detail: string): void =>
    void errors.push({ type: "Forbidden", field, badValue: "", detail });
  const match = query["resourceVersionMatch"] ?? "";
  const version = query["resourceVersion"] ?? "";
  const initial = query["sendInitialEvents"];
  if (isWatch) {
    if (initial !== undefined && match !== "NotOlderThan")
      forbid("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    if (initial === undefined && match !== "")
      forbid(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      );
  } else {
    if (initial !== undefined) forbid("sendInitialEvents", "sendInitialEvents is forbidden for list");
    if (match !== "") {
      if ((query["continue"] ?? "") !== "")
        forbid("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
      if (version === "")
        forbid("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
      if (match !== "Exact" && match !== "NotOlderThan")
        errors.push({
          type: "NotSupported",
          field: "resourceVersionMatch",
          badValue: match,
          detail: 'supported values: "Exact", "NotOlderThan", ""',
        });
      if (match === "Exact" && version === "0")
        forbid("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  if ((query["continue"] ?? "") !== "" && version !== "" && version !== "0")
    throw badRequest("specifying resource version is not allowed when using continue");
}

function matcherOf(resource: Resource, labels: string, fields: string): (object: JsonObject) => boolean {
  const labelSelector = labels === "" ? undefined : parseLabels(labels);
  const fieldSelector = fields === "" ? undefined : parseFields(resource, fields);
  if (!labelSelector && !fieldSelector) return () => true;
  return (object) => {
    if (labelSelector && !labelSelector.matches(labelsOf(object))) return false;
    return !fieldSelector || fieldSelector.matches((field) => fieldOf(resource, object, field));
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

function parseFields(resource: Resource, text: string): FieldSelector {
  let selector: FieldSelector;
  try {
    selector = parseFieldSelector(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
  const own = resource.strategy.selectableFields;
  for (const { field } of selector.requirements) {
    if (field === "metadata.name" || field === "metadata.namespace" || (own && Object.hasOwn(own, field))) continue;
    throw badRequest(
      own || resource.origin === "custom"
        ? `field label not supported: ${field}`
        : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return selector;
}

function fieldOf(resource: Resource, object: JsonObject, field: string): string {
  if (field === "metadata.name") return textAt(metadataOf(object), "name");
  if (field === "metadata.namespace") return textAt(metadataOf(object), "namespace");
  return resource.strategy.selectableFields?.[field]?.(object) ?? "";
}

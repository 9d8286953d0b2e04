import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** What a request does with an object. */
export type AdmissionOperation = "create" | "update" | "delete" | "connect";

/** The user of a request, as the API server authenticated it. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Group, version and kind. */
export interface AdmissionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Group, version and resource: the plural in lower case. */
export interface AdmissionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The request of an AdmissionReview, of `admission.k8s.io/v1` or `v1beta1`. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  /** The kind of `object`. With matchPolicy `Equivalent` it may differ from {@link requestKind}. */
  readonly kind: AdmissionKind;
  readonly resource: AdmissionResource;
  /** Such as `status`; empty for the object itself. */
  readonly subresource: string;
  /** The kind that the client used. */
  readonly requestKind: AdmissionKind;
  readonly requestResource: AdmissionResource;
  /** Empty where the server generates the name. */
  readonly name: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly user: AdmissionUser;
  /** Undefined for `delete`. */
  readonly object: JsonObject | undefined;
  /** Undefined for `create` and `connect`. */
  readonly oldObject: JsonObject | undefined;
  /** Nothing will be stored: the webhook must have no side effects. */
  readonly dryRun: boolean;
  /** The options of the request, such as `CreateOptions` with `fieldManager`. */
  readonly options: JsonObject;
}

/** A parsed AdmissionReview. */
export interface ReceivedReview {
  readonly apiVersion: string;
  readonly request: AdmissionRequest;
}

/** The versions of AdmissionReview that are understood, newest first. */
export const reviewVersions: readonly string[] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

const operations: ReadonlySet<string> = new Set<AdmissionOperation>(["create", "update", "delete", "connect"]);

/** Parses the body of an admission request. Returns why it is invalid as a string. */
export function readAdmissionReview(value: JsonValue): ReceivedReview | string {
  if (!isJsonObject(value) || value["kind"] !== "AdmissionReview") return "the request body is not an AdmissionReview";
  const { apiVersion, request } = value;
  if (typeof apiVersion !== "string" || !reviewVersions.includes(apiVersion))
    return `AdmissionReview ${JSON.stringify(apiVersion) ?? "without apiVersion"} is not supported; use ${reviewVersions.join(" or ")}`;
  if (!isJsonObject(request)) return "the AdmissionReview has no request";
  const operation = textOf(request, "operation").toLowerCase();
  if (!isOperation(operation)) return `the operation ${JSON.stringify(request["operation"]) ?? ""} is unknown`;
  const kind = kindOf(request["kind"]);
  const resource = resourceOf(request["resource"]);
  return {
    apiVersion,
    request: {
      uid: textOf(request, "uid"),
      operation,
      kind,
      resource,
      subresource: textOf(request, "subResource"),
      requestKind: request["requestKind"] === undefined ? kind : kindOf(request["requestKind"]),
      requestResource: request["requestResource"] === undefined ? resource : resourceOf(request["requestResource"]),
      name: textOf(request, "name"),
      namespace: textOf(request, "namespace"),
      user: userOf(request["userInfo"]),
      object: objectOf(request["object"]),
      oldObject: objectOf(request["oldObject"]),
      dryRun: request["dryRun"] === true,
      options: objectOf(request["options"]) ?? {},
    },
  };
}

function isOperation(value: string): value is AdmissionOperation {
  return operations.has(value);
}

function textOf(value: JsonValue | undefined, field: string): string {
  const found = isJsonObject(value) ? value[field] : undefined;
  return typeof found === "string" ? found : "";
}

function kindOf(value: JsonValue | undefined): AdmissionKind {
  return { group: textOf(value, "group"), version: textOf(value, "version"), kind: textOf(value, "kind") };
}

function resourceOf(value: JsonValue | undefined): AdmissionResource {
  return { group: textOf(value, "group"), version: textOf(value, "version"), resource: textOf(value, "resource") };
}

/** An absent object is null. */
function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function userOf(value: JsonValue | undefined): AdmissionUser {
  const { groups, extra } = isJsonObject(value) ? value : {};
  return {
    username: textOf(value, "username"),
    uid: textOf(value, "uid"),
    groups: stringsOf(groups),
    extra: Object.fromEntries(
      Object.entries(isJsonObject(extra) ? extra : {}).map(([key, values]) => [key, stringsOf(values)]),
    ),
  };
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

import type { ApiStatus, ApiStatusCause } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject, normaliseJson, parseJson } from "@kubewright/core/json";
import { applyJsonPatch } from "@kubewright/core/patch";
import { type AnyKind, isResource, type Webhook } from "kubewright";
import { checkLocally } from "kubewright/crd";
import { type AdmissionOperation, type AdmissionUser, createWebhookHandler } from "kubewright/webhook";
import { objectReads } from "./object-reads.js";

/** A request that a webhook admits or denies. */
export interface AdmitRequest {
  /** What is created or updated; without `apiVersion` and `kind` those of the webhook's kind. */
  readonly object?: object;
  /** The stored object of an update or a delete. */
  readonly old?: object;
  /** @default "update" with `object` and `old`, "delete" with `old` alone, else "create" */
  readonly operation?: AdmissionOperation;
  /** @default kubernetes-admin */
  readonly user?: Partial<AdmissionUser>;
  /** @default false */
  readonly dryRun?: boolean;
  /** Options of the request, such as `{ fieldManager: "kubectl" }`. @default none */
  readonly options?: object;
  /** What the handlers read, with `apiVersion` and `kind`. @default no objects */
  readonly objects?: readonly object[];
}

/** What a webhook decided. */
export interface Admitted {
  readonly allowed: boolean;
  /** The object after `default`, as it would be stored; undefined for a delete. */
  readonly object: JsonObject | undefined;
  /** The status of a denial. */
  readonly status: ApiStatus | undefined;
  /** The causes of a denial: one for each field. */
  readonly causes: readonly ApiStatusCause[];
  readonly warnings: readonly string[];
}

/**
 * Sends one request through a webhook as an API server does, without a cluster: `default`, then the schema of a custom resource, then the validators,
 * which see the defaulted object.
 *
 * @example
 * const { allowed, causes } = await admit(admission, { object: { metadata: { name: "shop" }, spec: { image: "" } } });
 */
export async function admit(webhook: Webhook, request: AdmitRequest): Promise<Admitted> {
  const { kind, mutating, validating } = webhook;
  const handler = createWebhookHandler({ webhooks: [webhook], reads: objectReads(request.objects ?? []) });
  const warnings: string[] = [];
  const old = request.old === undefined ? undefined : complete(request.old, kind);
  let object = request.object === undefined ? undefined : stored(complete(request.object, kind), webhook);
  const call = async (path: string): Promise<Admitted | undefined> => {
    const review = reviewOf(webhook, { ...request, ...(object && { object }), ...(old && { old }) });
    const response = (await handler.handle(path, review))?.["response"];
    if (!isJsonObject(response)) throw new TypeError(`Webhook "${webhook.name}" did not respond at "${path}"`);
    const { allowed, patch, status } = response;
    if (Array.isArray(response["warnings"])) warnings.push(...response["warnings"].map(String));
    if (allowed !== true) return denied(status as unknown as ApiStatus, object, warnings);
    if (typeof patch === "string" && object !== undefined)
      object = applyJsonPatch(object, parseJson(Buffer.from(patch, "base64").toString("utf8"))) as JsonObject;
    return undefined;
  };
  const refused = mutating && (await call(mutating.path));
  if (refused) return refused;
  if (object !== undefined && kind !== undefined && isResource(kind) && webhook.subresource === "") {
    const { errors, object: defaulted } = checkLocally(kind, object, old);
    if (errors.length > 0) return denied(invalid(errors), object, warnings);
    object = defaulted;
  }
  return (
    (validating && (await call(validating.path))) ?? { allowed: true, object, status: undefined, causes: [], warnings }
  );
}

function denied(status: ApiStatus, object: JsonObject | undefined, warnings: readonly string[]): Admitted {
  return { allowed: false, object, status, causes: status.details?.causes ?? [], warnings };
}

/** The schema's errors, as strings with their paths. */
function invalid(errors: readonly string[]): ApiStatus {
  const causes = errors.map((error) => {
    const [field = "", ...rest] = error.split(": ");
    return { field, message: rest.join(": ") };
  });
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: "Invalid",
    code: 422,
    message: errors.join(", "),
    details: { causes },
  };
}

function complete(object: object, kind: AnyKind | undefined): JsonObject {
  const given = normaliseJson(object) as JsonObject;
  if (kind === undefined) return given;
  const { group, version } = kind;
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind: kind.kind, ...given };
}

/** With the defaults of the schema, which a server sets before it calls webhooks. */
function stored(object: JsonObject, { kind, subresource }: Webhook): JsonObject {
  if (kind === undefined || subresource !== "" || !isResource(kind)) return object;
  return checkLocally(kind, object).object;
}

function reviewOf({ kind, subresource }: Webhook, request: AdmitRequest): JsonObject {
  const { object, old, user = {}, dryRun = false, options = {} } = request;
  const { operation = old === undefined ? "create" : object === undefined ? "delete" : "update" } = request;
  const subject = normaliseJson(object ?? old ?? {}) as JsonObject;
  const metadata = isJsonObject(subject["metadata"]) ? subject["metadata"] : {};
  const [group = "", version = ""] = splitApiVersion(String(subject["apiVersion"] ?? ""));
  const { kind: name = String(subject["kind"] ?? ""), plural = "" } = kind ?? {};
  return normaliseJson({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "admit",
      kind: { group, version, kind: name },
      resource: kind
        ? { group: kind.group, version: kind.version, resource: plural }
        : { group, version, resource: `${name.toLowerCase()}s` },
      subResource: subresource,
      name: metadata["name"] ?? "",
      namespace: kind?.scope === "Cluster" ? "" : (metadata["namespace"] ?? "default"),
      operation: operation.toUpperCase(),
      userInfo: { username: "kubernetes-admin", groups: ["system:masters"], ...user },
      object: object ?? null,
      oldObject: old ?? null,
      dryRun,
      options,
    },
  }) as JsonObject;
}

function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

import { trackUpdate } from "@kubewright/core/apply";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { formatTime } from "@kubewright/core/meta";
import type { Schema } from "@kubewright/core/schema";
import {
  ApiFailure,
  badRequest,
  getStored,
  invalid,
  metadataOf,
  objectAt,
  type Registry,
  type Resource,
  textAt,
  timestamp,
} from "../registry/index.js";

/** A TokenRequest for a ServiceAccount. */
export interface TokenAction {
  readonly registry: Registry;
  /** The resource `serviceaccounts`. */
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly body: JsonObject;
  /** The field manager of the request. */
  readonly manager: string;
}

/** The fields of a TokenRequest that managedFields track. */
const requestSchema: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        audiences: { type: "array", items: { type: "string" } },
        boundObjectRef: { type: "object", additionalProperties: { type: "string" } },
        expirationSeconds: { type: "integer" },
      },
    },
  },
};

const requestKind = { group: "authentication.k8s.io", kind: "TokenRequest" };
const shortestSeconds = 10 * 60;
const longestSeconds = 2 ** 32;
/** The expirationSeconds of default Pod tokens: kube-apiserver extends such a token to a year, with a warning after this time. */
const podTokenSeconds = 60 * 60 + 7;
const yearSeconds = 365 * 24 * 60 * 60;

/** Issues a ServiceAccount token, optionally bound to a Pod, Node or Secret. */
export function requestToken({ registry, resource, namespace, name, body, manager }: TokenAction): JsonObject {
  const { signer } = registry;
  checkKind(body);
  const metadata = metadataOf(body);
  const givenNamespace = textAt(metadata, "namespace");
  if (givenNamespace !== "" && givenNamespace !== namespace)
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  const givenName = textAt(metadata, "name");
  const detail = "must match the service account name if specified";
  if (givenName !== "" && givenName !== name)
    throw invalid(requestKind, name, [{ type: "Invalid", field: "metadata.name", badValue: givenName, detail }]);
  const account = metadataOf(getStored(registry.store, resource, { namespace, name }));
  const uid = textAt(account, "uid");
  const givenUid = textAt(metadata, "uid");
  if (givenUid !== "" && givenUid !== uid)
    throw uidConflict(
      { group: requestKind.group, kind: requestKind.kind, name },
      `the UID in the token request (${givenUid}) does not match the UID of the service account (${uid})`,
    );
  const spec = objectAt(body, "spec");
  const audiences = strings(spec["audiences"]);
  const seconds = secondsOf(spec["expirationSeconds"]);
  const bound = boundTo(spec["boundObjectRef"], { registry, namespace, name });
  const nowMs = registry.clock.now();
  const nowSeconds = Math.floor(nowMs / 1_000);
  const audience = audiences.length > 0 ? audiences : [signer.issuer];
  const isLasting =
    bound?.["pod"] !== undefined && seconds === podTokenSeconds && audience.every((one) => one === signer.issuer);
  const token = signer.sign({
    aud: audience,
    exp: nowSeconds + (isLasting ? yearSeconds : seconds),
    iat: nowSeconds,
    iss: signer.issuer,
    jti: registry.newUid(),
    "kubernetes.io": {
      namespace,
      ...bound,
      serviceaccount: { name, uid },
      ...(isLasting && { warnafter: nowSeconds + seconds }),
    },
    nbf: nowSeconds,
    sub: `system:serviceaccount:${namespace}:${name}`,
  });
  const apiVersion = "authentication.k8s.io/v1";
  const owned = trackUpdate({
    // In Go's type, both fields are always present.
    live: { spec: { boundObjectRef: {} } },
    object: { spec: { ...spec, expirationSeconds: seconds } },
    manager,
    apiVersion,
    schema: requestSchema,
    time: timestamp(registry.clock),
    subresource: "token",
  });
  const { managedFields = [] } = metadataOf(owned);
  return {
    kind: "TokenRequest",
    apiVersion,
    metadata: { ...metadata, name, namespace, uid, creationTimestamp: formatTime(nowMs), managedFields },
    spec: {
      audiences: audience,
      expirationSeconds: seconds,
      boundObjectRef: isJsonObject(spec["boundObjectRef"]) ? spec["boundObjectRef"] : null,
    },
    status: { token, expirationTimestamp: formatTime(nowMs + seconds * 1_000) },
  };
}

/** A body may omit its kind, but not have another one. */
function checkKind(body: JsonObject): void {
  const kind = textAt(body, "kind");
  const apiVersion = textAt(body, "apiVersion");
  if ((kind === "" || kind === "TokenRequest") && (apiVersion === "" || apiVersion === "authentication.k8s.io/v1"))
    return;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  throw badRequest(
    `${kind} in version ${JSON.stringify(apiVersion)} cannot be handled as a TokenRequest: converting (${version}.${kind}) to (authentication.TokenRequest): unknown conversion`,
  );
}

function secondsOf(given: JsonValue | undefined): number {
  const seconds = typeof given === "number" || typeof given === "bigint" ? Number(given) : 3_600;
  const detail =
    seconds < shortestSeconds
      ? "may not specify a duration less than 10 minutes"
      : seconds > longestSeconds
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (detail === undefined) return seconds;
  throw invalid(requestKind, "", [{ type: "Invalid", field: "spec.expirationSeconds", badValue: seconds, detail }]);
}

/** The JWT claims of the bound object. */
function boundTo(
  ref: JsonValue | undefined,
  { registry, namespace, name }: { readonly registry: Registry; readonly namespace: string; readonly name: string },
): JsonObject | undefined {
  if (!isJsonObject(ref)) return undefined;
  const kind = textAt(ref, "kind");
  const apiVersion = textAt(ref, "apiVersion");
  const plural = apiVersion === "v1" || apiVersion === "" ? boundKinds.get(kind) : undefined;
  const resource = plural === undefined ? undefined : registry.find("", "v1", plural);
  if (resource === undefined) throw badRequest(`cannot bind token to object of type ${printType(apiVersion, kind)}`);
  const where = resource.namespaced ? namespace : "";
  const object = getStored(registry.store, resource, { namespace: where, name: textAt(ref, "name") });
  const spec = objectAt(object, "spec");
  if (kind === "Pod" && textAt(spec, "serviceAccountName") !== name)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
    );
  const { name: boundName = "", uid = "" } = metadataOf(object);
  const given = textAt(ref, "uid");
  if (given !== "" && given !== uid)
    throw uidConflict(
      { group: "", kind, name: textAt(ref, "name") },
      `the UID in the bound object reference (${given}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  return {
    ...(kind === "Pod" && nodeClaim(registry, textAt(spec, "nodeName"))),
    [kind.toLowerCase()]: { name: boundName, uid },
  };
}

const boundKinds: ReadonlyMap<string, string> = new Map([
  ["Pod", "pods"],
  ["Node", "nodes"],
  ["Secret", "secrets"],
]);

/** The JWT claim of a Pod's node, which need not exist. */
function nodeClaim(registry: Registry, name: string): JsonObject {
  if (name === "") return {};
  const node = registry.store.bucket("nodes").get(name);
  return { node: { name, ...(node && { uid: textAt(metadataOf(node.object), "uid") }) } };
}

function printType(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  return `${apiVersion.slice(0, Math.max(slash, 0))}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

function uidConflict(
  { group, kind, name }: { readonly group: string; readonly kind: string; readonly name: string },
  why: string,
): ApiFailure {
  const which = group === "" ? kind : `${kind}.${group}`;
  return new ApiFailure(409, "Conflict", `Operation cannot be fulfilled on ${which} ${JSON.stringify(name)}: ${why}`, {
    name,
    ...(group === "" ? {} : { group }),
    kind,
  });
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

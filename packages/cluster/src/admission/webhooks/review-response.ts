import { goQuote, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { type Draft, decodeBuiltin, jsonTypeOf, textAt } from "../../registry/index.js";
import { CallFailure } from "../../webhook-client/index.js";

/** The verified response of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean;
  /** A metav1.Status; undefined if the webhook sent none. */
  readonly status: JsonObject | undefined;
  /** The bytes of the patch; empty if there is none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** What the response belongs to. */
export interface ExpectedReview {
  readonly version: string;
  readonly uid: string;
  readonly isMutating: boolean;
}

const text: Schema = { type: "string" };
const strings: Schema = { type: "array", items: text };
const int32: Schema = { type: "integer", format: "int32" };
const cause: Schema = { type: "object", properties: { reason: text, message: text, field: text } };
const status: Schema = {
  type: "object",
  properties: {
    kind: text,
    apiVersion: text,
    metadata: { type: "object", properties: { resourceVersion: text, continue: text, selfLink: text } },
    status: text,
    message: text,
    reason: text,
    code: int32,
    details: {
      type: "object",
      properties: {
        name: text,
        group: text,
        kind: text,
        uid: text,
        causes: { type: "array", items: cause },
        retryAfterSeconds: int32,
      },
    },
  },
};
const reviewSchema: Schema = {
  type: "object",
  properties: {
    kind: text,
    apiVersion: text,
    response: {
      type: "object",
      properties: {
        uid: text,
        allowed: { type: "boolean" },
        status,
        patch: { type: "string", format: "byte" },
        patchType: text,
        auditAnnotations: { type: "object", additionalProperties: text },
        warnings: strings,
      },
    },
  },
};

/** Verifies the response of a webhook as kube-apiserver does. Throws a {@link CallFailure} with its message. Changes the body. */
export function readResponse(body: unknown, { version, uid, isMutating }: ExpectedReview): ReviewResponse {
  const { response, apiVersion, kind } = decodeReview(body, version);
  const reject = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`);
  if (!isJsonObject(response)) throw reject("webhook response was absent");
  const patch = textAt(response, "patch");
  const patchType = response["patchType"];
  if (version === "v1") {
    const given = textAt(response, "uid");
    if (given !== uid) throw reject(`expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`);
    if (apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview")
      throw reject(
        `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${printKind(apiVersion, kind)}`,
      );
    const why = isMutating ? mutatingProblem(patch, patchType) : validatingProblem(patch, patchType);
    if (why !== undefined) throw reject(why);
  }
  return {
    allowed: response["allowed"] === true,
    status: isJsonObject(response["status"]) ? response["status"] : undefined,
    patch: isMutating ? Buffer.from(patch, "base64").toString("utf8") : "",
    // kube-apiserver does not read the patchType of v1beta1.
    patchType: version === "v1" && typeof patchType === "string" ? patchType : "JSONPatch",
    warnings: Array.isArray(response["warnings"]) ? (response["warnings"] as string[]) : [],
    auditAnnotations: (response["auditAnnotations"] ?? {}) as Record<string, string>,
  };
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: unknown;
}

/** Decodes the body of a response into the review that was sent. */
function decodeReview(body: unknown, version: string): Review {
  const failed = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`);
  if (!isJsonObject(body))
    throw failed(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf((body ?? null) as null)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  const draft = body as Draft;
  const given = body["apiVersion"];
  const kind = body["kind"];
  if (!isAllowedWithoutMore(draft["response"])) {
    const { typeError } = decodeBuiltin(draft, reviewSchema);
    if (typeError !== undefined) throw failed(typeError);
  }
  const apiVersion = typeof given === "string" ? given : "";
  const name = typeof kind === "string" ? kind : "";
  const problem = typeProblem(apiVersion, name, version);
  if (problem !== undefined) throw failed(problem);
  return { apiVersion, kind: name, response: draft["response"] };
}

/** Whether a response has only a uid and that it allows the request, as most do: there is nothing to decode. */
function isAllowedWithoutMore(response: unknown): boolean {
  if (!isJsonObject(response) || typeof response["uid"] !== "string" || response["allowed"] !== true) return false;
  const keys = Object.keys(response);
  if (keys.length === 2) return true;
  const { patch, patchType } = response;
  return keys.length === 4 && patchType === "JSONPatch" && typeof patch === "string" && isBase64(patch);
}

/** Whether a string is base64 without line breaks. */
function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

/** Why a response cannot be decoded as the expected review. What it leaves out is as expected. */
function typeProblem(apiVersion: string, kind: string, version: string): string | undefined {
  const expected = `admission.k8s.io/${version}`;
  const [given, name] = [apiVersion || expected, kind || "AdmissionReview"];
  if (given === "v1" && name === "Status") return undefined;
  const [, known] = /^admission\.k8s\.io\/(v1|v1beta1)$/.exec(given) ?? [];
  if (known === undefined || name !== "AdmissionReview")
    return `no kind ${goQuote(name)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`;
  if (known === version) return undefined;
  return `converting (${known}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`;
}

function mutatingProblem(patch: string, patchType: unknown): string | undefined {
  if (patch !== "" && patchType === undefined) return "webhook returned response.patch but not response.patchType";
  if (patch === "" && patchType !== undefined) return "webhook returned response.patchType but not response.patch";
  return patchType === "" ? `webhook returned invalid response.patchType of ""` : undefined;
}

function validatingProblem(patch: string, patchType: unknown): string | undefined {
  if (patch !== "") return "validating webhook may not return response.patch";
  return patchType === undefined ? undefined : "validating webhook may not return response.patchType";
}

/** A kind as Go prints it. */
function printKind(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
}

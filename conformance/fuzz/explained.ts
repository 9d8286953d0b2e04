import { isJsonObject } from "@kubewright/core/json";
import type { Difference } from "../compare.js";
import type { RequestStep } from "../test-case.js";
import type { AdmissionScript } from "../webhooks/index.js";

/** A kind of difference that the fuzzer accepts. */
export interface Explanation {
  /** One sentence. */
  readonly why: string;
  /** The path without the step number; the empty string is a whole response whose status differs. */
  readonly at: RegExp;
  /** Whether the servers hold different objects afterwards, so that later steps are not compared. @default false */
  readonly isLast?: boolean;
  /** Whether a difference is of this kind, by both values, the step, and the steps before it. */
  is(real: unknown, ours: unknown, step: RequestStep, before: readonly RequestStep[]): boolean;
}

const protection = /^kubernetes\.io\/(pv|pvc|vac)-protection$/;

/** Why a repeated case may no longer differ. */
export const chanceDecided =
  "If a request has several errors, a real server reports a random one of them, and of several validating webhooks the one that rejects first; it may read from a stale watch cache.";

/** Every difference that the fuzzer accepts. */
export const explanations: readonly Explanation[] = [
  {
    why: "Some patches and some changes of Service IP families make a real server panic and drop the connection; here they get a response.",
    at: /^$/,
    isLast: true,
    is: (real) => typeof real === "object" && real !== null && "status" in real && real.status === 0,
  },
  {
    why: "apiVersion and kind are case-sensitive; in another case they are unknown fields.",
    at: /^/,
    isLast: true,
    is: (_real, _ours, step) =>
      [...bodyOf(step).matchAll(/"(kind|apiversion)"/gi)].some(([, key]) => key !== "kind" && key !== "apiVersion"),
  },
  {
    why: "The last of duplicate fields is used; a real server merges duplicate objects.",
    at: /^/,
    isLast: true,
    is: (_real, _ours, { text }) => text !== undefined && duplicateFields(text).length > 0,
  },
  {
    why: "A JSON patch that changes apiVersion or kind is rejected; status, cause and warnings differ: a real server decodes an object without apiVersion as its internal type.",
    at: /^(?:body\.causes.*|headers\.warning.*)?$/,
    isLast: true,
    is: (_real, _ours, step) =>
      typeOf(step) === "application/json-patch+json" && /"(?:path|from)":"\/?(?:apiVersion|kind)?"/.test(bodyOf(step)),
  },
  {
    why: "An error names the volume source by its field; a real server misspells two of them.",
    at: /^body\.causes/,
    is: (real, ours) =>
      typeof real === "string" &&
      real.replace(/\.downwarAPI:/, ".downwardAPI:").replace(/\.cephFS:/, ".cephfs:") === ours,
  },
  {
    why: "A custom resource of another kind is rejected for its kind, and the rest is not validated.",
    at: /^body\.causes/,
    is: (_real, ours, { path }) =>
      path.includes(".fuzz.example.com/") && JSON.stringify(ours).includes("kind: FieldValueInvalid"),
  },
  {
    why: "A write to a Scale tracks managedFields as any other write does, and is not stored if it changes nothing; a real server drops the time of the previous manager's entry, and stores entries in another order.",
    at: /^$|managedFields|resourceVersion$/,
    isLast: true,
    is: (_real, _ours, step, before) => [step, ...before].some(isScaleWrite),
  },
  {
    why: "An integer that overflows its type is rejected, not truncated.",
    at: /^$/,
    isLast: true,
    // An apply keeps it until it is validated; an object that a webhook patched is decoded before.
    is: (_real, ours, step) => isJsonObject(ours) && ours["status"] === 500 && hasLongInteger(bodyOf(step)),
  },
  {
    why: "Empty data of an immutable Secret and empty binaryData of an immutable ConfigMap equal absent ones; a real server rejects them.",
    at: /^(?:body\.causes)?$/,
    isLast: true,
    is: (real, _ours, step) =>
      /"(?:data|binaryData)":\{\}/.test(bodyOf(step)) &&
      /"(?:data|binaryData): FieldValueForbidden"/.test(JSON.stringify(real)),
  },
  {
    why: "An object that a webhook renames is stored under its new name; a real server stores an applied one under the name in the URL.",
    at: /^$/,
    isLast: true,
    is: (real, _ours, { path }) => {
      const name = nameIn(real);
      return (
        name !== undefined &&
        /\/namespaces\/[^/]+\/[^/]+\/[^/?]+/.test(path) &&
        path.split("?")[0]?.split("/").includes(name) === false
      );
    },
  },
  {
    why: "A write to the status subresource ignores apiVersion and kind; a real server cannot convert the object for a webhook, and fails.",
    at: /^$/,
    isLast: true,
    is: (real, _ours, step) =>
      isJsonObject(real) &&
      real["status"] === 500 &&
      /\/status(?:\?|$)/.test(step.path) &&
      /"apiVersion"|"kind"/.test(bodyOf(step)),
  },
  {
    why: chanceDecided,
    at: /^$/,
    isLast: true,
    is: (real, ours, _step, before) =>
      [real, ours].every((one) => before.some((earlier) => rejectionsOf(earlier).includes(statusIn(one)))) &&
      before.some((earlier) => rejectionsOf(earlier).length > 1),
  },
  {
    why: "No client sends selfLink: the server drops it, also in the response to a dry run.",
    at: /\.selfLink$/,
    is: (_real, ours) => ours === undefined,
  },
  {
    why: "A custom resource that does not match its schema keeps its managedFields; a real server drops them.",
    at: /managedFields$|resourceVersion$/,
    isLast: true,
    // A real server drops managedFields, or stores the object again without them.
    is: (real, _ours, { path }) =>
      path.includes(".fuzz.example.com/") && (real === undefined || typeof real === "string"),
  },
  {
    why: "An apply with empty metadata raises the resourceVersion, as on a real server; the next write without them does not.",
    at: /resourceVersion$/,
    isLast: true,
    is: (_real, _ours, step, before) => [step, ...before].some(appliesEmptyMetadata),
  },
  {
    why: "Protection finalizers of PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses are added only where the controllers run that remove them (StorageObjectInUseProtection).",
    at: /^body\.metadata\.finalizers$/,
    is: (real, ours) =>
      ours === undefined && Array.isArray(real) && real.length === 1 && protection.test(String(real[0])),
  },
  {
    why: "A server-side apply without effect updates the time in managedFields if a second has passed since the last write.",
    at: /^body\.metadata\.managedFields\[\d+\]\.time$/,
    isLast: true,
    is: (real, ours, step) =>
      typeOf(step) === "application/apply-patch+yaml" &&
      [real, ours].includes("<time>") &&
      [real, ours].includes(undefined),
  },
];

function statusIn(response: unknown): number {
  const status = isJsonObject(response) ? response["status"] : undefined;
  return typeof status === "number" ? status : 0;
}

/** The statuses with which the validating webhooks that a step creates may reject a request: by denying it, or by a failed call. */
function rejectionsOf({ method, path, body }: RequestStep): readonly number[] {
  if (method !== "POST" || !path.endsWith("/validatingwebhookconfigurations") || !isJsonObject(body)) return [];
  const { webhooks } = body;
  if (!Array.isArray(webhooks)) return [];
  return webhooks.filter(isJsonObject).flatMap(({ name, clientConfig, failurePolicy }) => {
    const url = isJsonObject(clientConfig) ? String(clientConfig["url"]) : "";
    const { deny }: AdmissionScript = JSON.parse(Buffer.from(url.split("/").at(-1) ?? "", "base64url").toString());
    if (name === "probe.example.com") return [];
    if (deny !== undefined) return [typeof deny["code"] === "number" && deny["code"] >= 400 ? deny["code"] : 400];
    return failurePolicy === "Ignore" ? [] : [500];
  });
}

/** The name of the object in a response. */
function nameIn(response: unknown): string | undefined {
  const body = isJsonObject(response) ? response["body"] : undefined;
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Whether a JSON document contains an integer beyond 32 bits. */
function hasLongInteger(text: string): boolean {
  return [...text.matchAll(/(?<=[:[,])-?\d[\d.eE+-]*(?=[,\]}])/g)].some(
    ([digits]) => Math.abs(Number(digits)) > 2 ** 31,
  );
}

function isScaleWrite({ method, path }: RequestStep): boolean {
  return method !== "GET" && /\/scale(?:\?|$)/.test(path);
}

function appliesEmptyMetadata(step: RequestStep): boolean {
  if (typeOf(step) !== "application/apply-patch+yaml" || !isJsonObject(step.body)) return false;
  const { metadata } = step.body;
  const isEmpty = (value: unknown): boolean =>
    value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return isJsonObject(metadata) && Object.values(metadata).some(isEmpty);
}

function typeOf({ headers }: RequestStep): string {
  return String(headers?.["content-type"] ?? "application/json");
}

function bodyOf({ text, body }: RequestStep): string {
  return text ?? JSON.stringify(body ?? null);
}

/** Duplicate keys of objects in a JSON document. */
function duplicateFields(text: string): string[] {
  const found: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (key !== undefined && open.at(-1)?.has(key)) found.push(key);
    else if (key !== undefined) open.at(-1)?.add(key);
  }
  return found;
}

/** The explanation of a difference; undefined if it is not known. */
export function explain(
  { at, recorded, given }: Difference,
  step: RequestStep,
  before: readonly RequestStep[],
): Explanation | undefined {
  const place = at.replace(/^\d+ ?/, "");
  return explanations.find((one) => one.at.test(place) && one.is(recorded, given, step, before));
}

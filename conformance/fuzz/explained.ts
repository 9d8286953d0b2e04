import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { RequestStep, Step } from "../case.js";
import type { Difference } from "../compare.js";
import { valueAt } from "./disturb.js";

/** Differences of one sort between the servers that need no mending. */
export interface Explanation {
  /** One sentence. */
  readonly why: string;
  /** The place, without the number of the step; the empty text is a whole answer, whose statuses differ. */
  readonly at: RegExp;
  /** Whether the servers hold unlike objects from then on, so that nothing after it is compared. @default false */
  readonly isLast?: boolean;
  /** Whether it is this sort, by what both servers gave there, and by what was sent, then and before. */
  is(real: unknown, ours: unknown, step: RequestStep, before: readonly Step[]): boolean;
}

const protection = /^kubernetes\.io\/(pv|pvc|vac)-protection$/;

/** The status and the causes of a whole response. */
function answerOf(value: unknown): { readonly status: unknown; readonly causes: readonly string[] } {
  const { status, body } = (value ?? {}) as {
    readonly status?: unknown;
    readonly body?: { readonly causes?: readonly string[] };
  };
  return { status, causes: body?.causes ?? [] };
}

/** Why the same requests, sent again, may show no difference any more. */
export const chanceDecided =
  "Of several mistakes in one request, a real server tells of one or the other by chance, and it may look into a cache that is behind: sent again, the same requests are answered alike.";

/** Everything that the fuzzer may find without a failure. Each entry says exactly what both servers give. */
export const explanations: readonly Explanation[] = [
  {
    why: "A strategic merge patch whose merge key is an object or a list makes a real server drop the connection; here it is refused.",
    at: /^$/,
    is: (real, ours, step) => isDropped(real, ours) && isStrategic(step) && hasOddKey(step.body ?? null),
  },
  {
    why: "A JSON patch that tests for a list with a null in it makes a real server drop the connection where the object has something else there; here the test fails.",
    at: /^$/,
    is: (real, ours, step) => isDropped(real, ours) && testedValues(step).some(hasNullInList),
  },
  {
    why: "The finalizers that protect volumes and claims in use come with the controllers that take them off, which do not run in this comparison.",
    at: /^body\.metadata\.finalizers$/,
    is: (real, ours) =>
      ours === undefined && Array.isArray(real) && real.length === 1 && protection.test(String(real[0])),
  },
  {
    why: "A policy of success in a Job without a number of completions makes a real server drop the connection; here it is refused.",
    at: /^$/,
    is: (real, ours) =>
      isDropped(real, ours) &&
      answerOf(ours).causes.some((cause) => cause.endsWith(".completions: FieldValueRequired")),
  },
  {
    why: "A JSON patch that looks into what it set to null itself makes a real server drop the connection; here it is refused.",
    at: /^$/,
    is: (real, ours, step) => isDropped(real, ours) && looksIntoNull(step),
  },
  {
    why: "An apply that changes nothing gets a time of its own if a second has passed since the last write.",
    at: /^body\.metadata\.managedFields\[\d+\]\.time$/,
    isLast: true,
    is: (real, ours, { headers }) =>
      headers?.["content-type"] === "application/apply-patch+yaml" &&
      [real, ours].includes("<time>") &&
      [real, ours].includes(undefined),
  },
  {
    why: "Taking the address from a Service that prefers two families makes a real server of one family drop the connection; here it is refused.",
    at: /^$/,
    is: (real, ours, { path }) =>
      isDropped(real, ours) &&
      path.includes("/services/") &&
      answerOf(ours).causes.includes("spec.clusterIPs[0]: FieldValueInvalid"),
  },
  {
    why: "A Service that was created at its status has no addresses: taking one of its two families makes a real server drop the connection; here the write is like any other.",
    at: /^$/,
    is: (real, _ours, { path }, before) =>
      answerOf(real).status === 0 &&
      path.includes("/services/") &&
      before.some((one) => one.kind === "request" && appliesFamilies(one, `${path.split("?")[0]}/status`)),
  },
];

/** Whether a step applies a Service of two families to a path. */
function appliesFamilies({ path, headers, body }: RequestStep, wanted: string): boolean {
  const isApply = headers?.["content-type"] === "application/apply-patch+yaml" && path.split("?")[0] === wanted;
  const families = isApply && body !== undefined ? valueAt(body, ["spec", "ipFamilies"]) : undefined;
  return Array.isArray(families) && families.length > 1;
}

/** Whether a real server dropped the connection, and this one refused. */
function isDropped(real: unknown, ours: unknown): boolean {
  return answerOf(real).status === 0 && answerOf(ours).status === 422;
}

function isStrategic({ headers }: RequestStep): boolean {
  return headers?.["content-type"] === "application/strategic-merge-patch+json";
}

/** Whether a JSON patch goes on below a place that it has set to null, or filled from elsewhere. */
function looksIntoNull({ headers, body }: RequestStep): boolean {
  if (headers?.["content-type"] !== "application/json-patch+json" || !Array.isArray(body)) return false;
  const operations = (body as readonly JsonValue[]).filter(isJsonObject);
  const isSet = ({ op, value = null }: JsonObject): boolean => op === "copy" || op === "move" || value === null;
  return operations.some(
    ({ path }, index) =>
      typeof path === "string" &&
      operations.slice(0, index).some((earlier) => isSet(earlier) && path.startsWith(`${earlier["path"]}/`)),
  );
}

/** The values that the tests of a JSON patch want. */
function testedValues({ headers, body }: RequestStep): JsonValue[] {
  if (headers?.["content-type"] !== "application/json-patch+json" || !Array.isArray(body)) return [];
  return (body as readonly JsonValue[]).flatMap((operation) =>
    isJsonObject(operation) && operation["op"] === "test" ? [operation["value"] ?? null] : [],
  );
}

function hasNullInList(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) && value.includes(null)) || Object.values(value).some(hasNullInList);
}

/** The fields by which lists of built-in kinds merge. */
const mergeKeys = ["name", "port", "containerPort", "mountPath", "devicePath", "ip", "uid", "type", "topologyKey"];

/** Whether an element of a list has an object or a list where the key is by which the list merges. */
function hasOddKey(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isOdd = (item: unknown): boolean =>
    isJsonObject(item) && mergeKeys.some((key) => typeof item[key] === "object" && item[key] !== null);
  return (Array.isArray(value) && value.some(isOdd)) || Object.values(value).some(hasOddKey);
}

/** Why this difference in the answer to a step is known, or undefined when it is not. */
export function explain(
  { at, recorded, given }: Difference,
  step: RequestStep,
  before: readonly Step[],
): Explanation | undefined {
  const place = at.replace(/^\d+ ?/, "");
  return explanations.find((one) => one.at.test(place) && one.is(recorded, given, step, before));
}

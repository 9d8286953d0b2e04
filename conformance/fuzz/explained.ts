import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { RequestStep, Step } from "../case.js";
import type { Difference } from "../compare.js";
import { valueAt } from "./disturb.js";
import { withoutDifferences, withoutGoNames, withPlainStructs, withSortedQuotes } from "./go-words.js";

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

const words = /^body\.(message|details\.causes\[\d+\]\.message)$/;

const protection = /^kubernetes\.io\/(pv|pvc|vac)-protection$/;

/** A quoted object without the finalizer that protects it. */
function withoutProtection(text: string): string {
  return text.replace(/,\\"finalizers\\":\[\\"kubernetes\.io\/(?:pv|pvc|vac)-protection\\"\]/g, "");
}

/** The status and the message of a whole answer. */
function answerOf(value: unknown): { readonly status: unknown; readonly message: string } {
  const { status, body } = (value ?? {}) as {
    readonly status?: unknown;
    readonly body?: { readonly message?: string };
  };
  return { status, message: body?.message ?? "" };
}

function bothTexts(real: unknown, ours: unknown, is: (real: string, ours: string) => boolean): boolean {
  return typeof real === "string" && typeof ours === "string" && is(real, ours);
}

/** The text up to the end of a sentence in it; undefined when it is not there. */
function upTo(text: string, sentence: string): string | undefined {
  const at = text.indexOf(sentence);
  return at < 0 ? undefined : text.slice(0, at + sentence.length);
}

const podUpdate =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** The beginning and the lines of a refusal that lists what does not fit a schema. */
function typedProblems(text: string): { readonly start: string; readonly problems: readonly string[] } {
  const [, start = "", rest = ""] = /^(failed to create typed patch object \(.*?, Kind=\w+\)): (.*)$/s.exec(text) ?? [];
  return { start, problems: rest.startsWith("errors:") ? rest.split("\n  ").slice(1) : [rest] };
}

/** Why the same requests, sent again, may show no difference any more. */
export const chanceDecided =
  "Of several mistakes in one request, a real server tells of one or the other by chance, and it may look into a cache that is behind: sent again, the same requests are answered alike.";

/** Everything that the fuzzer may find without a failure. Each entry says exactly what both servers give. */
export const explanations: readonly Explanation[] = [
  {
    why: "The difference of two specs of a Pod tells lists and maps that are empty from none; here they are none.",
    at: words,
    is: (real, ours) =>
      bothTexts(
        real,
        ours,
        (a, b) =>
          /\n[+-].*: (\[\]|\{\}),?(\n|$)/.test(a) &&
          upTo(a, podUpdate) !== undefined &&
          upTo(a, podUpdate) === upTo(b, podUpdate),
      ),
  },
  {
    why: "A refusal that quotes the object has nested fields in the order of their Go structs, and owners of one second in any order.",
    at: words,
    is: (real, ours) => bothTexts(real, ours, (a, b) => withSortedQuotes(a) === withSortedQuotes(b)),
  },
  {
    why: "The refusal to change a volume or a claim ends with the difference of the two specs, which a real server prints as Go structs.",
    at: words,
    is: (real, ours) =>
      bothTexts(
        real,
        ours,
        (a, b) => withoutDifferences(a) !== a && withPlainStructs(withoutDifferences(a)) === withPlainStructs(b),
      ),
  },
  {
    why: "A refusal that quotes a part of an object shows it as a Go struct: with all of its fields, their names, and their order.",
    at: words,
    is: (real, ours) => bothTexts(real, ours, (a, b) => withPlainStructs(a) === withPlainStructs(b)),
  },
  {
    why: "The refusal of a value of another type names the same field, without the Go structs that are embedded on the way to it, and without the names of Go's types of texts.",
    at: words,
    is: (real, ours) =>
      bothTexts(
        real,
        ours,
        (a, b) => withoutGoNames(withSortedQuotes(a)) === withoutGoNames(withSortedQuotes(b)) && a !== b,
      ),
  },
  {
    why: "Of fields that a configuration has and its schema has not, all are told of; a real server stops at one of each object, by chance.",
    at: /^body\.message$/,
    is: (real, ours) =>
      bothTexts(real, ours, (a, b) => {
        const [told, all] = [typedProblems(a), typedProblems(b)];
        const isStopped = told.problems.some((one) => one.endsWith("field not declared in schema"));
        return told.start !== "" && told.start === all.start && isStopped && isPart(told.problems, all.problems);
      }),
  },
  {
    why: "An empty map in a built-in kind is none: a refusal quotes null in its place.",
    at: words,
    is: (real, ours) =>
      bothTexts(real, ours, (a, b) => a.replace(/(Invalid|Unsupported) value: \{\}:/g, "$1 value: null:") === b),
  },
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
    at: /^body\.(metadata\.finalizers|message|details\.causes\[\d+\]\.message)$/,
    is: (real, ours) =>
      ours === undefined
        ? Array.isArray(real) && real.length === 1 && protection.test(String(real[0]))
        : bothTexts(real, ours, (a, b) => {
            const unprotected = withoutProtection(a);
            return (
              unprotected !== a && withoutGoNames(withSortedQuotes(unprotected)) === withoutGoNames(withSortedQuotes(b))
            );
          }),
  },
  {
    why: "A policy of success in a Job without a number of completions makes a real server drop the connection; here it is refused.",
    at: /^$/,
    is: (real, ours) =>
      isDropped(real, ours) &&
      /\.completions: Required value: when completion mode is Indexed/.test(answerOf(ours).message),
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
      /^Service "\w+" is invalid: .*spec\.clusterIPs\[0\]: Invalid value: \["None"/.test(answerOf(ours).message),
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

function isPart(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
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

import type { Difference } from "../compare.js";

/** Differences of one sort between the servers that need no mending, or could not be mended yet. */
export interface Explanation {
  /** One sentence. */
  readonly why: string;
  /** The place, without the number of the step; the empty text is a whole answer, whose statuses differ. */
  readonly at: RegExp;
  /** Whether it is this sort, by what both servers gave there, as JSON. */
  is(real: string, ours: string): boolean;
}

const words = /^body\.(message|details\.causes\[\d+\]\.message|details\.causes)$/;
/** What Go's decoders say of a value that does not fit. */
const misfit =
  /json: cannot unmarshal|parsing time|cannot convert|cannot restore|unrecognized type|illegal base64|unable to convert|error decoding from json|strict decoding error/;

/** A whole answer of this status, with this text in it. */
function answers(text: string, status: RegExp, message: RegExp): boolean {
  return status.test(/^\{"status":(\d+)/.exec(text)?.[1] ?? "") && message.test(text);
}

/** Everything that the fuzzer may find without a failure. Each entry says which words, or which values, both servers give. */
export const explanations: readonly Explanation[] = [
  {
    why: "The refusal of a real server goes on with the difference of the two specs of a Pod, printed as Go structs.",
    at: words,
    is: (real, ours) =>
      /pod updates may not change fields/.test(real) && /pod updates may not change fields/.test(ours),
  },
  {
    why: "The error quotes a Go struct with its internal field names: the strategy of a Deployment.",
    at: words,
    is: (real, ours) =>
      /Unsupported value: \{\\+"Type\\+"/.test(real) && /Unsupported value: \{\\+"type\\+"/.test(ours),
  },
  {
    why: "A value that does not fit its type is refused as well; which of several is told of, the name of its Go type and Go's path to it differ.",
    at: words,
    is: (real, ours) => misfit.test(real) && misfit.test(ours),
  },
  {
    why: "A value that does not fit its type, in an apply to a built-in kind, is a failed conversion on a real server, and a bad request here.",
    at: /^$/,
    is: (real, ours) =>
      answers(real, /500/, /failed to convert new object/) && answers(ours, /400/, /cannot be handled as a/),
  },
  {
    why: "A definition whose schema does not fit Go's types is refused by its decoder, and here by the rules for schemas.",
    at: /^$/,
    is: (real, ours) =>
      answers(real, /400/, /CustomResourceDefinition in version .* json: cannot unmarshal/) &&
      answers(ours, /422/, /spec\.validation\.openAPIV3Schema/),
  },
  {
    why: "A patch that takes apiVersion or kind away, or makes another value of them, is refused by another part of the server.",
    at: /^($|body\.(message|details))/,
    is: (real, ours) =>
      /Object 'Kind' is missing|couldn't get version\/kind|Object 'apiVersion' is missing|name must be provided|accessor error/.test(
        real,
      ) &&
      (!ours.startsWith('{"status":') || answers(ours, /4\d\d/, /./)),
  },
  {
    why: "A list without items is at times null on a real server, and always empty here; when, has not been found out.",
    at: /^body\.items$/,
    is: (real, ours) => real === "null" && ours === "[]",
  },
  {
    why: "An option that is given twice counts once, with its last value.",
    at: words,
    is: (real, ours) => /\[\\+"All\\+",\\+"Some\\+"\]/.test(real) && /\[\\+"Some\\+"\]/.test(ours),
  },
  {
    why: "Metadata of objects are given in their stable version, also to those who ask for the beta version of the same form.",
    at: /^body\.apiVersion$/,
    is: (real, ours) => real === '"meta.k8s.io/v1beta1"' && ours === '"meta.k8s.io/v1"',
  },
  {
    why: "Of a field that stands twice in a body the last one counts; Go's decoder adds the entries of two maps.",
    at: /^body\.metadata\.(labels|managedFields)/,
    is: (real, ours) => real === '{"a":"c"}' || (/"f:a":\{\}/.test(real) && !/"f:a":\{\}/.test(ours)),
  },
  {
    why: "Of fields that a configuration has and its schema has not, all are told of; a real server stops at the outermost.",
    at: /^body\.message$/,
    is: (real, ours) =>
      real.startsWith('"failed to create typed patch object') &&
      ours.includes(/Kind=\w+\): (.*)"$/.exec(real)?.[1] ?? real) &&
      ours.includes("errors:"),
  },
];

/** Why this difference is known, or undefined when it is not. */
export function explain({ at, recorded, given }: Difference): Explanation | undefined {
  const place = at.replace(/^\d+ ?/, "");
  const real = JSON.stringify(recorded) ?? "";
  const ours = JSON.stringify(given) ?? "";
  return explanations.find((one) => one.at.test(place) && one.is(real, ours));
}

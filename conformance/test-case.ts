import type { JsonValue } from "@kubewright/core/json";

/** The methods that cases send. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/**
 * One request of a case. In every text `{ns}` stands for the namespace of the case, `{group}` for an API group that is its own, and
 * `{x}` for what an earlier step captured as `x`.
 */
export interface RequestStep {
  readonly kind: "request";
  readonly method: Method;
  /** May hold a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: JsonValue;
  /** Sent as it is, in place of `body`. */
  readonly text?: string;
  /** Values of the answer that later steps use: name of the variable, and where it lies (`metadata.uid`). */
  readonly capture?: Readonly<Record<string, string>>;
  /** Sent again until the answer has this status and this text in its body; for what a real server does in its own time. */
  readonly until?: { readonly status?: number; readonly includes?: string };
  /** Not compared: only waited for. */
  readonly silent?: boolean;
  /** Of the list at `list`, compares only the elements whose `key` is one of `values`, because servers rightly differ in the rest. */
  readonly only?: readonly { readonly list: string; readonly key: string; readonly values: readonly string[] }[];
  /** Compares only these fields of the answer (`kind`, `metadata.uid`), because servers rightly differ in the rest. */
  readonly fields?: readonly string[];
  /** Compares the message of a rejection too, because people meet it with kubectl. */
  readonly wording?: boolean;
  /** Begins a watch under this name, which `read` steps take events from. */
  readonly watch?: string;
}

/** Takes events from a watch that an earlier step began. */
export interface ReadStep {
  readonly kind: "read";
  readonly watch: string;
  /** How many; "end" for all until the server ends the watch, "quiet" for all until none comes for a while. */
  readonly count: number | "end" | "quiet";
}

/** One step of a case. */
export type Step = RequestStep | ReadStep;

/** Requests in a row, on their own in the cluster. */
export interface Case {
  /** A sentence. Recordings and known differences refer to it. */
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Cases about one thing. */
export interface Subject {
  /** Names the file of its recordings. */
  readonly name: string;
  readonly cases: readonly Case[];
}

/** A subject: its name, then its cases. */
export function subject(name: string, ...cases: readonly Case[]): Subject {
  return { name, cases };
}

type Extra = Omit<Partial<RequestStep>, "kind" | "method" | "path">;

/** A case: its name, then its steps; lists of steps are laid flat. */
export function testCase(name: string, ...steps: readonly (Step | readonly Step[])[]): Case {
  return { name, steps: steps.flat() };
}

/** A case whose rejections are compared with their messages, because people meet them with kubectl. */
export function wordingCase(name: string, ...steps: readonly (Step | readonly Step[])[]): Case {
  return { name, steps: steps.flat().map((step) => (step.kind === "request" ? { ...step, wording: true } : step)) };
}

/** A GET. */
export function get(path: string, extra: Extra = {}): RequestStep {
  return { kind: "request", method: "GET", path, ...extra };
}

/** A POST of JSON. */
export function post(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return { kind: "request", method: "POST", path, body, ...extra };
}

/** A PUT of JSON. */
export function put(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return { kind: "request", method: "PUT", path, body, ...extra };
}

/** A DELETE, with options where there is a body. */
export function remove(path: string, body?: JsonValue, extra: Extra = {}): RequestStep {
  return { kind: "request", method: "DELETE", path, ...(body === undefined ? {} : { body }), ...extra };
}

/** Any method, any body. */
export function send(method: Method, path: string, extra: Extra = {}): RequestStep {
  return { kind: "request", method, path, ...extra };
}

/** A PATCH of the given content type. */
export function patch(type: string, path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return {
    kind: "request",
    method: "PATCH",
    path,
    body,
    ...extra,
    headers: { "content-type": type, ...extra.headers },
  };
}

/** A JSON patch. */
export function jsonPatch(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return patch("application/json-patch+json", path, body, extra);
}

/** A merge patch. */
export function mergePatch(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return patch("application/merge-patch+json", path, body, extra);
}

/** A strategic merge patch. */
export function strategicPatch(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return patch("application/strategic-merge-patch+json", path, body, extra);
}

/** A server-side apply; the path carries `fieldManager`. */
export function apply(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return patch("application/apply-patch+yaml", path, body, extra);
}

/** Begins a watch; the path carries the query, without `watch`. */
export function watch(name: string, path: string, extra: Extra = {}): RequestStep {
  return get(`${path}${path.includes("?") ? "&" : "?"}watch=true`, { ...extra, watch: name });
}

/** Takes events from a watch. */
export function read(name: string, count: ReadStep["count"]): ReadStep {
  return { kind: "read", watch: name, count };
}

/** Waits, without comparing, until a GET answers with a status (200 unless told) and a text. */
export function waitFor(path: string, until: NonNullable<RequestStep["until"]> = { status: 200 }): RequestStep {
  return get(path, { until, silent: true });
}

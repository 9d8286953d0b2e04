import type { JsonValue } from "@kubewright/core/json";

/** The methods that cases send. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/**
 * One request of a case. In every string `{ns}` stands for the namespace of the case, `{group}` for the API group of the case, `{hooks}` and
 * `{hooksCa}` for the address and CA bundle of the scripted webhook, and `{x}` for what an earlier step captured as `x`.
 */
export interface RequestStep {
  readonly kind: "request";
  readonly method: Method;
  /** May include a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: JsonValue;
  /** Sent verbatim instead of `body`. */
  readonly text?: string;
  /** Values of the response that later steps use: variable name to path (`metadata.uid`). */
  readonly capture?: Readonly<Record<string, string>>;
  /** Repeated until the response has this status and this string in its body; for what a real server does asynchronously. */
  readonly until?: { readonly status?: number; readonly includes?: string };
  /** Sent but not compared. */
  readonly silent?: boolean;
  /** Of the list at `list`, compares only the elements whose `key` is one of `values`, because servers may differ in the rest. */
  readonly only?: readonly { readonly list: string; readonly key: string; readonly values: readonly string[] }[];
  /** Compares only these fields of the response (`kind`, `metadata.uid`), because servers may differ in the rest. */
  readonly fields?: readonly string[];
  /** Also compares the message of a rejection, because kubectl prints it. */
  readonly wording?: boolean;
  /** Starts a watch under this name, from which `read` steps take events. */
  readonly watch?: string;
}

/** Takes events from a watch that an earlier step started. */
export interface ReadStep {
  readonly kind: "read";
  readonly watch: string;
  /** How many; "end": all until the server closes the watch; "quiet": all until none comes for 1.5 s. */
  readonly count: number | "end" | "quiet";
}

/** One step of a case. */
export type Step = RequestStep | ReadStep;

/** A sequence of requests, isolated from other cases. */
export interface Case {
  /** A sentence that states what is expected. Recordings and known differences refer to it. */
  readonly name: string;
  /** Part of the names of its namespace and API group. @default a hash of `name` */
  readonly id?: string;
  readonly steps: readonly Step[];
}

/**
 * How servers are configured: `plain` runs kube-apiserver's default admission plugins but ServiceAccount, and no controllers of workloads;
 * `admission` runs ServiceAccount with its controllers, and optional plugins.
 */
export type ServerProfile = "plain" | "admission";

/** Cases about one topic. */
export interface Subject {
  /** Also the file name of its recording. */
  readonly name: string;
  /** @default "plain" */
  readonly server?: ServerProfile;
  readonly cases: readonly Case[];
}

/** Fields of a step other than method and path. */
export type Extra = Omit<Partial<RequestStep>, "kind" | "method" | "path">;

/** A case: its name, then its steps; lists of steps are flattened. */
export function testCase(name: string, ...steps: Steps): Case {
  return { name, steps: steps.flat() };
}

/** A case whose rejections are compared with their messages, because kubectl prints them. */
export function wordingCase(name: string, ...steps: Steps): Case {
  return { name, steps: wording(...steps) };
}

/** The steps of a case; lists of steps are flattened. */
export type Steps = readonly (Step | readonly Step[])[];

/** Steps with a fixed `Case.id`, for a recording that contains the namespace or a hash of the API group. */
export interface StepsWithId {
  readonly id: string;
  readonly steps: Steps;
}

/** A subject: its name, then the steps of each case under the name of the case. */
export function subject(
  name: string,
  cases: Readonly<Record<string, Steps | StepsWithId>>,
  server?: ServerProfile,
): Subject {
  return {
    name,
    ...(server && { server }),
    cases: Object.entries(cases).map(([sentence, given]) =>
      "steps" in given
        ? { name: sentence, id: given.id, steps: given.steps.flat() }
        : { name: sentence, steps: given.flat() },
    ),
  };
}

/** Steps whose rejections are compared with their messages, because kubectl prints them. */
export function wording(...steps: Steps): Step[] {
  return steps.flat().map((step) => (step.kind === "request" ? { ...step, wording: true } : step));
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

/** A DELETE; `body` is DeleteOptions. */
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

/** A server-side apply; the path includes `fieldManager`. */
export function apply(path: string, body: JsonValue, extra: Extra = {}): RequestStep {
  return patch("application/apply-patch+yaml", path, body, extra);
}

/** Starts a watch; the path includes the query, without `watch`. */
export function watch(name: string, path: string, extra: Extra = {}): RequestStep {
  return get(`${path}${path.includes("?") ? "&" : "?"}watch=true`, { ...extra, watch: name });
}

/** Takes events from a watch. */
export function read(name: string, count: ReadStep["count"]): ReadStep {
  return { kind: "read", watch: name, count };
}

/** Repeats a GET, without comparing, until it returns this status and string. */
export function waitFor(path: string, until: NonNullable<RequestStep["until"]> = { status: 200 }): RequestStep {
  return get(path, { until, silent: true });
}

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import type { ApiClient, Incoming, OpenWatch, Outgoing } from "./servers/api-client.js";
import type { Case, RequestStep } from "./test-case.js";
import { scriptedServer } from "./webhooks/index.js";

/** The raw result of one compared step. */
export type Given =
  | { readonly kind: "response"; readonly response: Incoming }
  | { readonly kind: "events"; readonly events: readonly unknown[]; readonly ended: boolean }
  /** Not sent, because an earlier response lacked a captured value. */
  | { readonly kind: "unsent"; readonly why: string };

/** A case that was run: the results of its steps, and its namespace and API group. */
export interface CaseRun {
  readonly given: readonly Given[];
  readonly namespace: string;
  readonly group: string;
}

/** Timeouts of a run. */
export interface Timeouts {
  /** For each event of a watch. */
  readonly eventMs: number;
  /** For a step with `until`. */
  readonly untilMs: number;
}

/**
 * Sends the steps of a case in order, in a namespace and with an API group of this case alone.
 *
 * Never fails because of a response: responses are compared. Rejects when there is no response.
 */
export async function runCase(client: ApiClient, one: Case, timeouts: Timeouts): Promise<CaseRun> {
  const id = one.id ?? createHash("sha256").update(one.name).digest("hex").slice(0, 8);
  const variables = new Map([
    ["ns", `case-${id}`],
    ["group", `g${id}.example.com`],
  ]);
  if (stringifyJson(one.steps as never).includes("{hooks}")) {
    const { url, caBundle } = await scriptedServer();
    variables.set("hooks", url).set("hooksCa", caBundle);
  }
  const namespace = `case-${id}`;
  const made = await client.send(
    outgoing(
      { kind: "request", method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
      variables,
    ),
  );
  if (made.status !== 201)
    throw new Error(`Cannot run "${one.name}": creating namespace "${namespace}" failed: ${JSON.stringify(made.body)}`);
  const watches = new Map<string, OpenWatch>();
  const given: Given[] = [];
  try {
    for (const step of one.steps) {
      if (step.kind === "read") {
        given.push(await readEvents(watches.get(step.watch), step.count, timeouts.eventMs));
        continue;
      }
      const missing = missingVariable(step, variables);
      const result: Given =
        missing === undefined
          ? {
              kind: "response",
              response: await sendStep(step, { client, variables, watches, untilMs: timeouts.untilMs }),
            }
          : { kind: "unsent", why: `no value for "${missing}"` };
      if (step.silent !== true) given.push(result);
      if (result.kind === "response") capture(step, result.response.body, variables);
    }
  } finally {
    for (const watch of watches.values()) await watch.close();
  }
  return { given, namespace, group: `g${id}.example.com` };
}

/** What the steps of a test case share. */
interface StepContext {
  readonly client: ApiClient;
  readonly variables: ReadonlyMap<string, string>;
  readonly watches: Map<string, OpenWatch>;
  /** How long a step with `until` is repeated. */
  readonly untilMs: number;
}

async function sendStep(step: RequestStep, { client, variables, watches, untilMs }: StepContext): Promise<Incoming> {
  const request = outgoing(step, variables);
  if (step.watch !== undefined) {
    const { response, watch } = await client.watch(request);
    if (watch) watches.set(step.watch, watch);
    return response;
  }
  const deadline = performance.now() + untilMs;
  let response = await client.send(request);
  // A real server does not signal that it serves a CRD or has finished a cleanup: only repeating the request shows it.
  while (!isWanted(step, response, variables) && performance.now() < deadline) {
    await delay(50);
    response = await client.send(request);
  }
  return response;
}

function isWanted({ until }: RequestStep, response: Incoming, variables: ReadonlyMap<string, string>): boolean {
  if (!until) return true;
  if (until.status !== undefined && response.status !== until.status) return false;
  return until.includes === undefined || stringifyJson(response.body).includes(fill(until.includes, variables));
}

/** A watch without events for this long is quiet. */
const quietMs = 1_500;

async function readEvents(
  watch: OpenWatch | undefined,
  count: number | "end" | "quiet",
  timeoutMs: number,
): Promise<Given> {
  if (!watch) return { kind: "unsent", why: "the watch was rejected" };
  const events: unknown[] = [];
  while (typeof count === "string" || events.length < count) {
    const event = await watch.next(count === "quiet" ? quietMs : timeoutMs);
    if (event === undefined) return { kind: "events", events, ended: count !== "quiet" };
    // A periodic bookmark may come between any two events.
    if (typeof count === "number" && isPeriodicBookmark(event)) continue;
    events.push(event);
  }
  return { kind: "events", events, ended: false };
}

/** Whether an event is a bookmark other than the one that ends the initial events. */
function isPeriodicBookmark(event: unknown): boolean {
  if (!isJsonObject(event) || event["type"] !== "BOOKMARK" || !isJsonObject(event["object"])) return false;
  const { metadata } = event["object"];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return !isJsonObject(annotations) || annotations["k8s.io/initial-events-end"] !== "true";
}

function outgoing(step: RequestStep, variables: ReadonlyMap<string, string>): Outgoing {
  const text = step.text ?? (step.body === undefined ? undefined : stringifyJson(step.body));
  const headers: Record<string, string | readonly string[]> = {
    "user-agent": "conformance/1",
    accept: "application/json",
  };
  if (text !== undefined) headers["content-type"] = "application/json";
  for (const [name, value] of Object.entries(step.headers ?? {}))
    headers[name] = typeof value === "string" ? fill(value, variables) : value.map((one) => fill(one, variables));
  return {
    method: step.method,
    path: fill(step.path, variables),
    headers,
    text: text === undefined ? undefined : fill(text, variables),
  };
}

const placeholder = /\{([a-zA-Z]\w*)\}/g;

function fill(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (whole, name: string) => variables.get(name) ?? whole);
}

/** A variable in the path that no step captured. */
function missingVariable(step: RequestStep, variables: ReadonlyMap<string, string>): string | undefined {
  for (const [, name = ""] of step.path.matchAll(placeholder)) if (!variables.has(name)) return name;
  return undefined;
}

function capture(step: RequestStep, body: unknown, variables: Map<string, string>): void {
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    let value: unknown = body;
    for (const part of path.split("."))
      value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
    if (typeof value === "string" || typeof value === "number") variables.set(name, String(value));
  }
}

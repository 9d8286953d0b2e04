import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, stringifyJson } from "@kubewright/core/json";
import type { Door, Incoming, OpenWatch, Outgoing } from "./servers/door.js";
import type { Case, RequestStep } from "./test-case.js";

/** What one compared step gave, as it came. */
export type Given =
  | { readonly kind: "answer"; readonly answer: Incoming }
  | { readonly kind: "events"; readonly events: readonly unknown[]; readonly ended: boolean }
  /** It could not be sent, because an earlier answer lacked what it needs. */
  | { readonly kind: "unsent"; readonly why: string };

/** A case that was run: what its steps gave, and the names that were its own. */
export interface CaseRun {
  readonly given: readonly Given[];
  readonly namespace: string;
  readonly group: string;
}

/** How patient a run is. */
export interface Patience {
  /** For each event of a watch. */
  readonly eventMs: number;
  /** For a step that is sent until it has the answer it wants. */
  readonly untilMs: number;
}

/**
 * Sends the steps of a case one after the other, in a namespace and with an API group that belong to this case alone.
 *
 * Never fails because of an answer: what a server says is what is compared. Rejects when there is no answer at all.
 */
export async function runCase(door: Door, one: Case, patience: Patience): Promise<CaseRun> {
  const id = createHash("sha256").update(one.name).digest("hex").slice(0, 8);
  const variables = new Map([
    ["ns", `case-${id}`],
    ["group", `g${id}.example.com`],
  ]);
  const namespace = `case-${id}`;
  const made = await door.send(
    outgoing(
      { kind: "request", method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
      variables,
    ),
  );
  if (made.status !== 201)
    throw new Error(`Cannot run "${one.name}": no namespace "${namespace}": ${JSON.stringify(made.body)}`);
  const watches = new Map<string, OpenWatch>();
  const given: Given[] = [];
  try {
    for (const step of one.steps) {
      if (step.kind === "read") {
        given.push(await readEvents(watches.get(step.watch), step.count, patience.eventMs));
        continue;
      }
      const missing = missingVariable(step, variables);
      const result: Given =
        missing === undefined
          ? { kind: "answer", answer: await sendStep(step, { door, variables, watches, untilMs: patience.untilMs }) }
          : { kind: "unsent", why: `no value for "${missing}"` };
      if (step.silent !== true) given.push(result);
      if (result.kind === "answer") capture(step, result.answer.body, variables);
    }
  } finally {
    for (const watch of watches.values()) await watch.close();
  }
  return { given, namespace, group: `g${id}.example.com` };
}

/** Where the steps of a test case are sent, and what they share. */
interface StepContext {
  readonly door: Door;
  readonly variables: ReadonlyMap<string, string>;
  readonly watches: Map<string, OpenWatch>;
  /** How long a step with `until` is repeated. */
  readonly untilMs: number;
}

async function sendStep(step: RequestStep, { door, variables, watches, untilMs }: StepContext): Promise<Incoming> {
  const request = outgoing(step, variables);
  if (step.watch !== undefined) {
    const { answer, watch } = await door.watch(request);
    if (watch) watches.set(step.watch, watch);
    return answer;
  }
  const deadline = performance.now() + untilMs;
  let answer = await door.send(request);
  // A real server does not signal that it serves a CRD or has finished a cleanup: only repeating the request shows it.
  while (!isWanted(step, answer, variables) && performance.now() < deadline) {
    await delay(50);
    answer = await door.send(request);
  }
  return answer;
}

function isWanted({ until }: RequestStep, answer: Incoming, variables: ReadonlyMap<string, string>): boolean {
  if (!until) return true;
  if (until.status !== undefined && answer.status !== until.status) return false;
  return until.includes === undefined || stringifyJson(answer.body).includes(fill(until.includes, variables));
}

/** A server that sends nothing for so long has nothing more to send. */
const quietMs = 1_500;

async function readEvents(
  watch: OpenWatch | undefined,
  count: number | "end" | "quiet",
  timeoutMs: number,
): Promise<Given> {
  if (!watch) return { kind: "unsent", why: "the watch was refused" };
  const events: unknown[] = [];
  while (typeof count === "string" || events.length < count) {
    const event = await watch.next(count === "quiet" ? quietMs : timeoutMs);
    if (event === undefined) return { kind: "events", events, ended: count !== "quiet" };
    // A bookmark that a server sends in its own time may come between any two events.
    if (typeof count === "number" && isPeriodicBookmark(event)) continue;
    events.push(event);
  }
  return { kind: "events", events, ended: false };
}

/** Every bookmark but the one that ends the initial events. */
function isPeriodicBookmark(event: unknown): boolean {
  if (!isJsonObject(event) || event["type"] !== "BOOKMARK" || !isJsonObject(event["object"])) return false;
  const { metadata } = event["object"];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return !isJsonObject(annotations) || annotations["k8s.io/initial-events-end"] !== "true";
}

function outgoing(step: RequestStep, variables: ReadonlyMap<string, string>): Outgoing {
  const text = step.text ?? (step.body === undefined ? undefined : stringifyJson(step.body));
  const headers: Record<string, string> = { "user-agent": "conformance/1", accept: "application/json" };
  if (text !== undefined) headers["content-type"] = "application/json";
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = fill(value, variables);
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

/** A variable that some step was to capture, but did not. */
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

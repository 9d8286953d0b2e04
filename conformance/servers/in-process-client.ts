import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "@kubewright/cluster";
import { normaliseJson, parseJson } from "@kubewright/core/json";
import type { TransportRequest, TransportResponse } from "@kubewright/core/transport";
import type { Step } from "../test-case.js";
import type { ApiClient, Incoming, OpenWatch, Outgoing } from "./api-client.js";

/** Sends requests to the embedded cluster in process. Of the headers only warnings are compared. */
export class InProcessClient implements ApiClient {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async send(request: Outgoing): Promise<Incoming> {
    return toIncoming(await this.#cluster.transport.send(toTransport(request)));
  }

  async watch(request: Outgoing): Promise<{ response: Incoming; watch?: OpenWatch }> {
    const stream = await this.#cluster.transport.stream(toTransport(request));
    if (stream.kind === "answer") return { response: toIncoming(stream.response) };
    const events = stream.items[Symbol.asyncIterator]();
    return {
      response: { status: 200, headers: warningsOf(stream.headers), body: undefined },
      watch: {
        async next(timeoutMs) {
          const timer = new AbortController();
          const late = delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
          const event = events.next().then(({ done, value }) => (done === true ? undefined : value));
          const first = await Promise.race([event, late]);
          timer.abort();
          return first;
        },
        async close() {
          await events.return?.();
        },
      },
    };
  }

  async close(): Promise<void> {}
}

/** Whether a step can be sent in process: not if it tests raw bodies, media types, encodings, HEAD or OPTIONS. */
export function fitsInProcess(step: Step): boolean {
  if (step.kind === "read") return step.count !== "end";
  // A malformed query cannot be represented in process.
  if (/\?.*(;|%(?![0-9a-f]{2}))/i.test(step.path)) return false;
  if (step.text !== undefined || step.method === "HEAD" || step.method === "OPTIONS") return false;
  const {
    accept = "application/json",
    "accept-encoding": encoding,
    "content-type": type = "",
  } = joined(step.headers ?? {});
  if (encoding !== undefined || !accept.startsWith("application/json")) return false;
  return step.method === "PATCH" || type === "" || type === "application/json";
}

function toTransport({ method, path, headers, text }: Outgoing): TransportRequest {
  const [place = "", ...rest] = path.split("?");
  return {
    method: method as TransportRequest["method"],
    path: place,
    query: Object.fromEntries(new URLSearchParams(rest.join("?"))),
    headers: joined(headers),
    ...(text === undefined ? {} : { body: parseJson(text) }),
  };
}

/** Repeated headers, joined as HTTP allows. */
function joined(headers: Outgoing["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}

function toIncoming({ status, headers, body }: TransportResponse): Incoming {
  return { status, headers: warningsOf(headers), body: withBareItems(normaliseJson(body ?? null)) };
}

function warningsOf(headers: Readonly<Record<string, string>>): Incoming["headers"] {
  const { warning } = headers;
  return warning === undefined ? {} : { warning: warning.split(/, (?=299 - )/) };
}

/** In process the items of a list are the stored values, with apiVersion and kind; over HTTP those of built-in kinds have neither. */
function withBareItems(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("items" in body) || !Array.isArray(body.items)) return body;
  if (!("apiVersion" in body) || String(body.apiVersion).includes("example.com/")) return body;
  if ("kind" in body && ["PartialObjectMetadataList", "APIGroupDiscoveryList"].includes(String(body.kind))) return body;
  return { ...body, items: body.items.map(({ apiVersion: _, kind: __, ...item }) => item) };
}

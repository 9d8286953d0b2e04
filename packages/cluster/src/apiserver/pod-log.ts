import type { Clock } from "@kubewright/core/clock";
import type { JsonObject } from "@kubewright/core/json";
import {
  ApiFailure,
  type Eventually,
  metadataOf,
  notFound,
  objectAt,
  type Registry,
  textAt,
} from "../registry/index.js";
import type { ApiResponse, TextStream } from "./api-request.js";
import { type Forwarder, kubeletLog, kubeletOf } from "./connect/index.js";
import { type ContainerRun, chooseContainer, containerRun, sameRun } from "./container-run.js";
import { type PodLogOptions, parsePodLogOptions } from "./pod-log-options.js";

/** A line that a container wrote. */
export interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** Part of a log, and the time of the next line. */
export interface LogPart {
  /** In chronological order. */
  readonly lines: readonly LogLine[];
  /** Undefined if no more lines follow. */
  readonly nextMs: number | undefined;
}

/** Source of container logs. */
export interface LogSource {
  /** The lines that a container run has written until `untilMs`; undefined if the Pod's node is not simulated. */
  linesOf(pod: JsonObject, run: ContainerRun, untilMs: number): LogPart | undefined;
}

const noLog: ApiResponse = { kind: "whole", status: 204, body: "", contentType: "" };

/** What logs are read from. */
export interface LogParts {
  readonly registry: Registry;
  /** Of simulated nodes; undefined if there are none. */
  readonly source: LogSource | undefined;
  /** To the kubelets of other nodes. */
  readonly forwarder: Forwarder;
}

/** Serves the log of a container, from its kubelet if it has one. Throws the rejection of kube-apiserver or the kubelet. */
export function servePodLog(
  { registry, source, forwarder }: LogParts,
  where: { readonly namespace: string; readonly name: string },
  request: { readonly query: Readonly<Record<string, string>>; readonly signal: AbortSignal | undefined },
): Eventually<ApiResponse> {
  const options = parsePodLogOptions(request.query, where.name);
  const key = `${where.namespace}/${where.name}`;
  const pod = registry.store.bucket("pods").get(key)?.object;
  if (!pod) throw notFound(podSubject, where.name);
  const container = chooseContainer(pod, options.container);
  const node = textAt(objectAt(pod, "spec"), "nodeName");
  if (node === "") return noLog;
  const host = registry.store.bucket("nodes").get(node)?.object;
  // kube-apiserver names the wrong kind here.
  if (!host) throw notFound(podSubject, node);
  const kubelet = kubeletOf(host);
  if (kubelet !== undefined)
    return kubeletLog(forwarder, {
      kubelet,
      container: { namespace: where.namespace, pod: where.name, container },
      options,
      signal: request.signal,
    });
  const run = source && containerRun(pod, container, options.previous);
  const nowMs = registry.clock.now();
  const part = run && source.linesOf(pod, run, nowMs);
  if (!run || !part) throw noLogs(where.name, node);
  const printer = new LinePrinter(options, nowMs);
  const text = printer.print(part.lines);
  const contentType = "text/plain";
  if (!options.follow || run.endedMs !== undefined) return { kind: "whole", status: 200, body: text, contentType };
  const follower = new LogFollower(registry, { key, pod, run, source, printer }, { text, ...part });
  if (request.signal?.aborted === true) follower.close();
  else request.signal?.addEventListener("abort", () => follower.close(), { once: true });
  return { kind: "text", chunks: follower, contentType };
}

const podSubject = { group: "", plural: "pods", kind: "Pod" };

function noLogs(pod: string, node: string): ApiFailure {
  return new ApiFailure(
    501,
    "NotImplemented",
    `Cannot read logs of pod "${pod}": node "${node}" is not simulated and runs no containers; start the cluster with workloads, and declare logs with a PodStage`,
  );
}

/** Formats the requested lines, each once. */
class LinePrinter {
  readonly #options: PodLogOptions;
  readonly #sinceMs: number;
  #printedMs = Number.NEGATIVE_INFINITY;
  #printedNow = 0;
  #bytesLeft: number;
  #isFirst = true;

  constructor(options: PodLogOptions, nowMs: number) {
    this.#options = options;
    const { sinceMs, sinceSeconds } = options;
    this.#sinceMs = sinceMs ?? (sinceSeconds === undefined ? Number.NEGATIVE_INFINITY : nowMs - sinceSeconds * 1_000);
    this.#bytesLeft = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether `limitBytes` is reached. */
  get isFull(): boolean {
    return this.#bytesLeft <= 0;
  }

  /** Formats the lines that were not printed yet. Lines with the same timestamp always arrive together, in the same order. */
  print(lines: readonly LogLine[]): string {
    const { tailLines, timestamps } = this.#options;
    let fresh = lines.filter(({ atMs }) => atMs > this.#printedMs);
    const sameMoment = lines.filter(({ atMs }) => atMs === this.#printedMs).slice(this.#printedNow);
    fresh = [...sameMoment, ...fresh];
    const lastMs = lines.at(-1)?.atMs;
    if (lastMs !== undefined && lastMs >= this.#printedMs) {
      this.#printedMs = lastMs;
      this.#printedNow = lines.filter(({ atMs }) => atMs === lastMs).length;
    }
    fresh = fresh.filter(({ atMs }) => atMs >= this.#sinceMs);
    if (this.#isFirst && tailLines !== undefined) fresh = tailLines === 0 ? [] : fresh.slice(-tailLines);
    this.#isFirst = false;
    const text = fresh.map((line) => `${timestamps ? `${nanoTime(line.atMs)} ` : ""}${line.text}\n`).join("");
    if (this.#bytesLeft === Number.POSITIVE_INFINITY) return text;
    const bytes = Buffer.from(text).subarray(0, this.#bytesLeft);
    this.#bytesLeft -= bytes.length;
    return bytes.toString();
  }
}

function nanoTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000000Z");
}

/** The container run whose log is followed. */
interface Followed {
  readonly key: string;
  readonly pod: JsonObject;
  readonly run: ContainerRun;
  readonly source: LogSource;
  readonly printer: LinePrinter;
}

/** Streams the lines of a container until it terminates, its Pod is deleted, or the client closes the request. */
class LogFollower implements TextStream {
  readonly #registry: Registry;
  readonly #followed: Followed;
  readonly #first: { readonly text: string; readonly nextMs: number | undefined };
  readonly #stopListening: () => void;
  #hasChanged = false;
  #wake: () => void = () => {};
  #closed = false;

  constructor(
    registry: Registry,
    followed: Followed,
    first: { readonly text: string; readonly nextMs: number | undefined },
  ) {
    this.#registry = registry;
    this.#followed = followed;
    this.#first = first;
    this.#stopListening = registry.store.listen((bucket, { key }) => {
      if ((bucket === "pods" && key === followed.key) || bucket.startsWith("podstages.")) this.#onChange();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#stopListening();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    try {
      let { text, nextMs } = this.#first;
      for (let isComplete = false; ; ) {
        if (text !== "") yield text;
        if (isComplete || this.#closed || this.#followed.printer.isFull) return;
        await this.#until(nextMs);
        if (this.#closed) return;
        ({ text, nextMs, isComplete } = this.#look());
      }
    } finally {
      this.close();
    }
  }

  #onChange(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** The new lines, the time of the next one, and whether the log is complete. */
  #look(): { readonly text: string; readonly nextMs: number | undefined; readonly isComplete: boolean } {
    const { key, pod: seen, run: followed, source, printer } = this.#followed;
    const { store, clock } = this.#registry;
    const pod = store.bucket("pods").get(key)?.object;
    const isSame = pod !== undefined && textAt(metadataOf(pod), "uid") === textAt(metadataOf(seen), "uid");
    const run = isSame ? sameRun(pod, followed) : undefined;
    const nowMs = clock.now();
    const endedMs = run === undefined ? nowMs : run.endedMs;
    const part = source.linesOf(isSame ? pod : seen, { ...followed, endedMs }, Math.min(nowMs, endedMs ?? nowMs));
    const text = printer.print(part?.lines ?? []);
    return { text, nextMs: part?.nextMs, isComplete: endedMs !== undefined || part === undefined };
  }

  /** Resolves when the Pod changes, at `atMs`, or when the stream is closed. */
  async #until(atMs: number | undefined): Promise<void> {
    const clock: Clock = this.#registry.clock;
    if (!this.#hasChanged && !this.#closed)
      await new Promise<void>((resolve) => {
        const timer = atMs === undefined ? undefined : clock.startTimer(Math.max(0, atMs - clock.now()), resolve);
        this.#wake = () => {
          timer?.cancel();
          resolve();
        };
      });
    this.#hasChanged = false;
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Attempt, EtcdGateway } from "./etcd-gateway.js";
import type { Operation, Request } from "./operation.js";

/** Reads and writes at random, by several clients at the same time. */
export interface LoadOptions {
  /** Client URLs of the members, or of the client Service. A client uses the next one after a failure. */
  readonly endpoints: readonly string[];
  /** Ends the load: no operation begins afterwards, those that run are awaited. */
  readonly signal: AbortSignal;
  /** @default 8 */
  readonly clients?: number;
  /** Few keys mean many operations at the same time on each. @default 16 */
  readonly keys?: number;
  /** Before each key: those of an earlier load must not exist. @default "history/" */
  readonly prefix?: string;
  /** Of all clients together. @default 200 */
  readonly operationsPerSecond?: number;
  /** Ends the load too, and bounds the memory of the history. @default 500_000 */
  readonly maxOperations?: number;
  /** After it, the outcome of a write is unknown. @default 5_000 */
  readonly operationTimeoutMs?: number;
  /** How long the final reads are tried, one of each key: they find acknowledged writes that were lost. @default 60_000 */
  readonly finalReadsTimeoutMs?: number;
  /** @default Math.random */
  readonly random?: () => number;
}

/** What was done, for `checkHistory`. */
export interface RecordedLoad {
  readonly history: readonly Operation[];
  readonly counts: { readonly completed: number; readonly unknown: number; readonly failed: number };
  /** The longest time between two completed operations: how long no client was served. */
  readonly longestGapMs: number;
}

/** Runs the load and resolves with its history, which ends with a read of each key. Throws if a key cannot be read at the end. */
export async function recordLoad(options: LoadOptions): Promise<RecordedLoad> {
  const { endpoints, signal, clients = 8, keys = 16, prefix = "history/", random = Math.random } = options;
  const { operationsPerSecond = 200, maxOperations = 500_000, operationTimeoutMs = 5_000 } = options;
  const { finalReadsTimeoutMs = 60_000 } = options;
  if (endpoints.length === 0) throw new RangeError("Cannot make a load: there is no endpoint");
  const recorder = new Recorder();
  const keyNames = Array.from({ length: keys }, (_, index) => `${prefix}${index}`);
  const pauseMs = (clients * 1_000) / operationsPerSecond;
  let begun = 0;

  const runClient = async (client: number): Promise<void> => {
    const gateway = new EtcdGateway(endpoints, client);
    /** What this client has last seen in a key: so that a part of its swaps succeeds. */
    const seen = new Map<string, string | undefined>();
    for (; !signal.aborted && begun < maxOperations; ) {
      const key = keyNames[Math.floor(random() * keyNames.length)] ?? prefix;
      const request = randomRequest(random(), `${client}-${begun++}`, seen.get(key));
      const attempt = await recorder.run({ client, key, request }, () =>
        gateway.send(key, request, AbortSignal.timeout(operationTimeoutMs)),
      );
      if (attempt.kind === "completed") seen.set(key, valueAfter(request, attempt.found));
      if (pauseMs > 0) await sleep(pauseMs * 2 * random());
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));

  const deadline = AbortSignal.timeout(finalReadsTimeoutMs);
  const gateway = new EtcdGateway(endpoints, 0);
  for (const key of keyNames) {
    const read = { client: clients, key, request: { kind: "get" } as const };
    const attempt = (): Promise<Attempt> =>
      recorder.run(read, () =>
        gateway.send(key, read.request, AbortSignal.any([deadline, AbortSignal.timeout(operationTimeoutMs)])),
      );
    for (let result = await attempt(); result.kind !== "completed"; result = await attempt()) {
      if (deadline.aborted) throw new Error(`Cannot read key "${key}" after the load: ${result.reason}`);
      await sleep(100, undefined, { signal: deadline }).catch(() => undefined);
    }
  }
  return recorder.result();
}

/** A tenth of the requests delete, so that absent keys occur. */
function randomRequest(random: number, value: string, seen: string | undefined): Request {
  if (random < 0.4) return { kind: "get" };
  if (random < 0.7) return { kind: "put", value };
  if (random < 0.8) return { kind: "put" };
  return { kind: "swap", value, ...(seen !== undefined && { expected: seen }) };
}

function valueAfter(request: Request, found: string | undefined): string | undefined {
  if (request.kind === "get") return found;
  return request.kind === "put" || request.expected === found ? request.value : found;
}

/** Collects operations with the times of their calls and returns. */
class Recorder {
  readonly #history: Operation[] = [];
  readonly #counts = { completed: 0, unknown: 0, failed: 0 };
  #lastCompletedMs: number | undefined;
  #longestGapMs = 0;

  async run(operation: Pick<Operation, "client" | "key" | "request">, send: () => Promise<Attempt>): Promise<Attempt> {
    const calledAtMs = performance.now();
    const attempt = await send();
    const returnedAtMs = performance.now();
    this.#counts[attempt.kind]++;
    if (attempt.kind === "completed") {
      const found = attempt.found === undefined ? {} : { found: attempt.found };
      this.#history.push({ ...operation, calledAtMs, returnedAtMs, ...found });
      this.#longestGapMs = Math.max(this.#longestGapMs, returnedAtMs - (this.#lastCompletedMs ?? returnedAtMs));
      this.#lastCompletedMs = returnedAtMs;
    } else if (attempt.kind === "unknown") this.#history.push({ ...operation, calledAtMs });
    return attempt;
  }

  result(): RecordedLoad {
    return { history: this.#history, counts: this.#counts, longestGapMs: this.#longestGapMs };
  }
}

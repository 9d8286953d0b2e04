import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import {
  type CallOptions,
  type EtcdAlarm,
  type EtcdConnection,
  EtcdError,
  type EtcdMember,
  type EtcdMemberStatus,
  type EtcdMembers,
} from "./etcd-members.js";
import { EtcdPools } from "./etcd-pools.js";
import { gatewayError } from "./gateway-error.js";

/** The largest response that is read; snapshots are streamed. */
const maxBodyBytes = 16_777_216;
/** A line of a snapshot stream: etcd sends 32 KiB at a time. */
const maxLineBytes = 4_194_304;
const readMs = 5_000;
const changeMs = 15_000;
/** Defragmenting rewrites the database, and the member does not respond meanwhile. */
const defragmentMs = 300_000;
/** A snapshot that sends nothing for so long has failed. */
const silenceMs = 60_000;

type Json = Readonly<Record<string, unknown>>;

/** The members of etcd over its JSON gateway, which each member serves at its client URL. */
export class GatewayMembers implements EtcdMembers, AsyncDisposable {
  readonly #pools = new EtcdPools();

  async list(endpoint: EtcdConnection, { signal, linearizable }: CallOptions & { readonly linearizable: boolean }) {
    const { members } = await this.#call(endpoint, "/v3/cluster/member/list", { body: { linearizable }, signal });
    return arrayOf(members).map(memberOf);
  }

  async addLearner(endpoint: EtcdConnection, peerURL: string, { signal }: CallOptions): Promise<EtcdMember> {
    const body = { peerURLs: [peerURL], isLearner: true };
    const { member } = await this.#call(endpoint, "/v3/cluster/member/add", { body, signal, timeoutMs: changeMs });
    return memberOf(member);
  }

  async promote(endpoint: EtcdConnection, ID: string, { signal }: CallOptions): Promise<void> {
    await this.#call(endpoint, "/v3/cluster/member/promote", { body: { ID }, signal, timeoutMs: changeMs });
  }

  async remove(endpoint: EtcdConnection, ID: string, { signal }: CallOptions): Promise<void> {
    await this.#call(endpoint, "/v3/cluster/member/remove", { body: { ID }, signal, timeoutMs: changeMs });
  }

  async status(endpoint: EtcdConnection, { signal }: CallOptions): Promise<EtcdMemberStatus> {
    const status = await this.#call(endpoint, "/v3/maintenance/status", { body: {}, signal });
    const header = objectOf(status["header"]);
    const leader = textOf(status["leader"], "0");
    return {
      memberId: textOf(header["member_id"], "0"),
      version: textOf(status["version"], ""),
      revision: BigInt(textOf(header["revision"], "0")),
      leaderId: leader === "0" ? undefined : leader,
      raftTerm: BigInt(textOf(status["raftTerm"], "0")),
      raftIndex: BigInt(textOf(status["raftIndex"], "0")),
      dbSize: Number(textOf(status["dbSize"], "0")),
      dbSizeInUse: Number(textOf(status["dbSizeInUse"], "0")),
      isLearner: status["isLearner"] === true,
      errors: arrayOf(status["errors"]).map(String),
    };
  }

  async moveLeader(endpoint: EtcdConnection, targetID: string, { signal }: CallOptions): Promise<void> {
    const path = "/v3/maintenance/transfer-leadership";
    await this.#call(endpoint, path, { body: { targetID }, signal, timeoutMs: changeMs });
  }

  async alarms(endpoint: EtcdConnection, { signal }: CallOptions): Promise<readonly EtcdAlarm[]> {
    const { alarms } = await this.#call(endpoint, "/v3/maintenance/alarm", { body: { action: "GET" }, signal });
    return arrayOf(alarms).flatMap((one) => {
      const { memberID, alarm } = objectOf(one);
      return alarm === "NOSPACE" || alarm === "CORRUPT" ? [{ memberId: textOf(memberID, "0"), alarm }] : [];
    });
  }

  async disarm(endpoint: EtcdConnection, { memberId, alarm }: EtcdAlarm, { signal }: CallOptions): Promise<void> {
    const body = { action: "DEACTIVATE", memberID: memberId, alarm };
    await this.#call(endpoint, "/v3/maintenance/alarm", { body, signal, timeoutMs: changeMs });
  }

  async defragment(endpoint: EtcdConnection, { signal }: CallOptions): Promise<void> {
    await this.#call(endpoint, "/v3/maintenance/defragment", { body: {}, signal, timeoutMs: defragmentMs });
  }

  async compact(endpoint: EtcdConnection, revision: bigint, { signal }: CallOptions): Promise<void> {
    const body = { revision: revision.toString(), physical: true };
    await this.#call(endpoint, "/v3/kv/compaction", { body, signal, timeoutMs: defragmentMs }).catch(
      (error: unknown) => {
        if (!(error instanceof EtcdError) || error.reason !== "compacted") throw error;
      },
    );
  }

  async *snapshot(endpoint: EtcdConnection, { signal }: CallOptions): AsyncIterable<Uint8Array> {
    const what = `POST ${endpoint.url}/v3/maintenance/snapshot`;
    const response = await this.#request(endpoint, "/v3/maintenance/snapshot", { body: {}, signal, bodyMs: silenceMs });
    if (response.statusCode !== 200)
      throw gatewayError(what, { status: response.statusCode, body: await readText(response.body, what) });
    let isComplete = false;
    try {
      for await (const line of createInterface({ input: limitedLines(response.body, what) })) {
        if (line === "") continue;
        const { result, error } = objectOf(JSON.parse(line));
        if (error !== undefined) throw gatewayError(what, { status: 200, body: JSON.stringify(error) });
        const { blob, remaining_bytes } = objectOf(result);
        if (typeof blob === "string") yield Buffer.from(blob, "base64");
        isComplete = textOf(remaining_bytes, "0") === "0";
      }
    } catch (cause) {
      throw asEtcdError(what, { cause, signal });
    }
    // The connection may end early without an error.
    if (!isComplete) throw new EtcdError("unavailable", `${what} ended before the snapshot was complete`);
  }

  async put(endpoint: EtcdConnection, key: string, value: string, { signal }: CallOptions): Promise<bigint> {
    const body = { key: base64(key), value: base64(value) };
    const { header } = await this.#call(endpoint, "/v3/kv/put", { body, signal });
    return BigInt(textOf(objectOf(header)["revision"], "0"));
  }

  async get(endpoint: EtcdConnection, key: string, { signal }: CallOptions): Promise<string | undefined> {
    const { kvs } = await this.#call(endpoint, "/v3/kv/range", { body: { key: base64(key) }, signal });
    const [first] = arrayOf(kvs);
    return first === undefined ? undefined : Buffer.from(textOf(objectOf(first)["value"], ""), "base64").toString();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pools[Symbol.asyncDispose]();
  }

  async #call(
    endpoint: EtcdConnection,
    path: string,
    {
      timeoutMs = readMs,
      signal,
      body,
    }: { readonly body: Json; readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): Promise<Json> {
    const what = `POST ${endpoint.url}${path}`;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await this.#request(endpoint, path, { body, signal: limited, bodyMs: timeoutMs, given: signal });
    const text = await readText(response.body, what).catch((cause: unknown) => {
      throw asEtcdError(what, { cause, signal });
    });
    if (response.statusCode !== 200) throw gatewayError(what, { status: response.statusCode, body: text });
    return parsed(text, what);
  }

  async #request(
    endpoint: EtcdConnection,
    path: string,
    options: {
      readonly body: Json;
      readonly signal: AbortSignal;
      readonly bodyMs: number;
      readonly given?: AbortSignal;
    },
  ) {
    const { body, signal, bodyMs, given = signal } = options;
    try {
      return await this.#pools.of(endpoint).request({
        method: "POST",
        path,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
        headersTimeout: bodyMs,
        bodyTimeout: bodyMs,
      });
    } catch (cause) {
      throw asEtcdError(`POST ${endpoint.url}${path}`, { cause, signal: given });
    }
  }
}

/** The reason of an aborted signal, or an error that the member cannot be reached. */
function asEtcdError(
  what: string,
  { cause, signal }: { readonly cause: unknown; readonly signal: AbortSignal },
): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof EtcdError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new EtcdError("unavailable", `Cannot ${what}: ${why}`, { cause });
}

async function readText(body: AsyncIterable<Uint8Array>, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new EtcdError("other", `${what} returned more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Passes a stream of lines on, and fails at a line without an end. */
function limitedLines(body: AsyncIterable<Uint8Array>, what: string): Readable {
  async function* checked(): AsyncIterable<Uint8Array> {
    let length = 0;
    for await (const chunk of body) {
      const at = chunk.lastIndexOf(10);
      length = at === -1 ? length + chunk.length : chunk.length - at - 1;
      if (length > maxLineBytes)
        throw new EtcdError("other", `${what} returned a line of more than ${maxLineBytes} bytes`);
      yield chunk;
    }
  }
  return Readable.from(checked());
}

function parsed(text: string, what: string): Json {
  try {
    return objectOf(JSON.parse(text));
  } catch (cause) {
    throw new EtcdError("other", `${what} returned no JSON object: "${text.slice(0, 80)}"`, { cause });
  }
}

function memberOf(value: unknown): EtcdMember {
  const { ID, name, peerURLs, clientURLs, isLearner } = objectOf(value);
  return {
    id: textOf(ID, "0"),
    name: textOf(name, ""),
    peerURLs: arrayOf(peerURLs).map(String),
    clientURLs: arrayOf(clientURLs).map(String),
    isLearner: isLearner === true,
  };
}

/** The gateway leaves out fields with the default of their type. */
function textOf(value: unknown, absent: string): string {
  return typeof value === "string" ? value : absent;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new SyntaxError("no JSON object");
  return value as Json;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

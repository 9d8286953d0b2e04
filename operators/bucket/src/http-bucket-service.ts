import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { BucketService, Owner, RemoteBucket } from "./bucket-service.js";

/** The largest response of the service that is read. */
const maxBodyBytes = 1_048_576;

/** The bucket service at a URL, such as `http://127.0.0.1:9000`. */
export function httpBucketService(baseUrl: string): BucketService {
  const urlOf = (name: string, rest = ""): string => `${baseUrl}/buckets/${encodeURIComponent(name)}${rest}`;

  async function send(method: string, url: string, { signal, body }: { signal: AbortSignal; body?: object }) {
    const response = await fetch(url, {
      method,
      signal,
      redirect: "error",
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Error(`Cannot ${method} ${url}: the bucket service is not reachable`, { cause: error });
    });
    return { status: response.status, text: await readText(response), what: `${method} ${url}` };
  }

  return {
    async find(name, signal) {
      const response = await send("GET", urlOf(name), { signal });
      return response.status === 404 ? undefined : bucketOf(response);
    },
    async create({ name, ...body }, signal) {
      const response = await send("PUT", urlOf(name), { signal, body });
      return response.status === 409 ? undefined : bucketOf(response);
    },
    async update(name, body, signal) {
      return bucketOf(await send("PATCH", urlOf(name), { signal, body }));
    },
    async delete(name, signal) {
      const response = await send("DELETE", urlOf(name), { signal });
      if (response.status === 409) return "notEmpty";
      if (response.status !== 204 && response.status !== 404) throw failed(response);
      return "deleted";
    },
    async probe(name, signal) {
      const response = await send("GET", urlOf(name, "/objects"), { signal });
      if (response.status >= 500) throw failed(response);
      return response.status === 200;
    },
    async *changes(signal) {
      const response = await fetch(`${baseUrl}/changes`, { signal });
      if (!response.ok || response.body === null)
        throw new Error(`Cannot read ${baseUrl}/changes: HTTP ${response.status}`);
      const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream, { signal }) });
      for await (const line of lines) if (line !== "") yield ownerOf(JSON.parse(line));
      // The framework opens it again after a pause. A generator that returns has ended for good.
      throw new Error(`The bucket service closed ${baseUrl}/changes`);
    },
  };
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly what: string;
}

function bucketOf(response: Received): RemoteBucket {
  if (response.status < 200 || response.status > 299) throw failed(response);
  const { id, name, url, versioning, owner }: Partial<RemoteBucket> = JSON.parse(response.text);
  if (typeof id !== "string" || typeof name !== "string" || typeof url !== "string" || typeof versioning !== "boolean")
    throw new SyntaxError(`${response.what} returned no bucket: "${response.text.slice(0, 80)}"`);
  return { id, name, url, versioning, owner: owner ? ownerOf(owner) : null };
}

function ownerOf(value: Partial<Owner> | null): Owner {
  const { namespace, name, uid } = value ?? {};
  if (typeof namespace !== "string" || typeof name !== "string" || typeof uid !== "string")
    throw new SyntaxError(`The bucket service sent no owner: ${JSON.stringify(value).slice(0, 80)}`);
  return { namespace, name, uid };
}

function failed({ what, status, text }: Received): Error {
  return new Error(`${what} failed with HTTP ${status}: ${text.slice(0, 200)}`);
}

async function readText(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBodyBytes) throw new Error(`The bucket service sent more than ${maxBodyBytes} bytes`);
  }
  return text + decoder.decode();
}

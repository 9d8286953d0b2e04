import { setTimeout as sleep } from "node:timers/promises";
import { type AwsCredentials, amzDate, authorizationHeader, encodePath, sha256 } from "./aws-signature.js";
import { StorageError, type StorageErrorReason } from "./snapshot-storage.js";
import { elementOf } from "./xml-elements.js";

/** A bucket and how it is reached. */
export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** URL of an S3-compatible service. @default AWS */
  readonly endpoint?: string;
  /** The bucket is in the path of URLs, not in the host name. @default false */
  readonly forcePathStyle?: boolean;
  /** Before the second attempt of a request; doubles with each. @default 500 */
  readonly retryDelayMs?: number;
}

/** One request. */
export interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Left out for requests of the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

const attempts = 4;
/** The largest response other than an object that is read: 1,000 keys of 1,024 bytes, percent-encoded. */
const maxTextBytes = 4_194_304;

/** Sends signed requests to one bucket. Repeats those that failed for a reason that may pass. Rejects with a {@link StorageError}. */
export class S3Requests {
  readonly #bucket: S3Bucket;
  readonly #base: URL;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
    this.#base = baseOf(bucket);
  }

  /** The response, whose status is 2xx. The caller reads its body. */
  async send(request: S3Request): Promise<Response> {
    const { retryDelayMs = 500 } = this.#bucket;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        request.signal.throwIfAborted();
        if (attempt === attempts || !(error instanceof StorageError) || error.reason !== "unavailable") throw error;
        await sleep(retryDelayMs * 2 ** (attempt - 1), undefined, { signal: request.signal });
      }
    }
  }

  /** The response as text. An error can be in a response of 200, too. */
  async sendForText(request: S3Request): Promise<{ readonly text: string; readonly headers: Headers }> {
    const response = await this.send(request);
    const text = await readText(response);
    if (elementOf(text, "Error") !== undefined) throw this.#errorOf(request, 500, text);
    return { text, headers: response.headers };
  }

  async #attempt({ method, key = "", query = {}, body, signal }: S3Request): Promise<Response> {
    const url = new URL(this.#base);
    url.pathname = `${url.pathname}${encodePath(key)}`;
    url.search = new URLSearchParams(query).toString().replaceAll("+", "%20");
    const { credentials, region } = this.#bucket;
    const bodyHash = sha256(body ?? "");
    const headers = {
      "x-amz-content-sha256": bodyHash,
      "x-amz-date": amzDate(new Date()),
      ...(credentials.sessionToken && { "x-amz-security-token": credentials.sessionToken }),
    };
    // fetch sends the host of the URL.
    const signed = { method, url, headers: { ...headers, host: url.host }, bodyHash };
    const authorization = authorizationHeader(signed, credentials, { region, service: "s3" });
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization },
      redirect: "manual",
      signal,
      ...(body && { body }),
    }).catch((cause: unknown) => {
      signal.throwIfAborted();
      if (!(cause instanceof TypeError)) throw cause; // fetch rejects with a TypeError when the network fails
      const why = cause.cause instanceof Error ? `: ${cause.cause.message}` : "";
      throw new StorageError("unavailable", `Cannot reach ${this.#base.origin}${why}`, { cause });
    });
    if (response.ok) return response;
    throw this.#errorOf({ method, key }, response.status, await readText(response));
  }

  #errorOf({ method, key }: Pick<S3Request, "method" | "key">, status: number, text: string): StorageError {
    const code = elementOf(text, "Code");
    const reason = reasonOf(status, code);
    const place = `${method} ${this.#bucket.bucket}${key ? `/${key}` : ""} at ${this.#base.origin}`;
    const detail = [code ?? `HTTP ${status}`, elementOf(text, "Message")?.slice(0, 300)].filter(Boolean).join(": ");
    return new StorageError(reason, `${titles[reason]}: ${place}: ${detail}`);
  }
}

const titles: Readonly<Record<StorageErrorReason, string>> = {
  credentials: "The access key is not accepted",
  forbidden: "The access key has no permission",
  bucketMissing: "The bucket does not exist",
  notFound: "The object does not exist",
  region: "The bucket is in another region",
  notSupported: "The service does not support the request",
  unavailable: "The service is not available",
  other: "The service rejected a request",
};

const reasonOfCode: Readonly<Record<string, StorageErrorReason>> = {
  InvalidAccessKeyId: "credentials",
  SignatureDoesNotMatch: "credentials",
  ExpiredToken: "credentials",
  InvalidToken: "credentials",
  RequestTimeTooSkewed: "credentials",
  AccessDenied: "forbidden",
  AllAccessDisabled: "forbidden",
  NoSuchBucket: "bucketMissing",
  NoSuchKey: "notFound",
  AuthorizationHeaderMalformed: "region",
  PermanentRedirect: "region",
  TemporaryRedirect: "region",
  NotImplemented: "notSupported",
  InternalError: "unavailable",
  ServiceUnavailable: "unavailable",
  SlowDown: "unavailable",
  RequestTimeout: "unavailable",
};

function reasonOf(status: number, code: string | undefined): StorageErrorReason {
  const known = code === undefined ? undefined : reasonOfCode[code];
  if (known !== undefined) return known;
  if (status === 403) return "forbidden";
  if (status >= 300 && status < 400) return "region";
  return status >= 500 || status === 429 ? "unavailable" : "other";
}

/** The URL of the bucket, with a slash at its end. */
function baseOf({ bucket, region, endpoint, forcePathStyle = false }: S3Bucket): URL {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new StorageError("bucketMissing", `"${bucket.slice(0, 200)}" is not the name of a bucket`);
  const text = endpoint ?? `https://s3.${region}.amazonaws.com`;
  const absolute = text.includes("://") ? text : `https://${text}`;
  const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "")
    throw new StorageError("other", `The endpoint "${text.slice(0, 200)}" is not an http or https URL`);
  if (!forcePathStyle) {
    const hostname = `${bucket}.${url.hostname}`;
    url.hostname = hostname;
    // The assignment of an invalid name, such as one in front of an IP address, changes nothing.
    if (url.hostname !== hostname)
      throw new StorageError("other", `The endpoint "${text}" has no name: set forcePathStyle`);
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${forcePathStyle ? `${bucket}/` : ""}`;
  return url;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxTextBytes) throw new StorageError("other", `The service sent more than ${maxTextBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

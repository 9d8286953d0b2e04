import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AwsCredentials, authorizationHeader, sha256 } from "../aws-signature.js";

/** What the server does other than to store objects. */
export interface S3ServerOptions {
  readonly credentials: AwsCredentials;
  /** @default "us-east-1" */
  readonly region?: string;
  readonly buckets: readonly string[];
  /** The number of keys in a page of a list. @default 1000 */
  readonly pageSize?: number;
  /** Parts other than the last one are at least as large. @default 5 MiB, as S3 */
  readonly minPartBytes?: number;
  /** Called before each request: the error response that is sent instead. */
  readonly fault?: (request: { readonly method: string; readonly path: string }) => S3Fault | "disconnect" | undefined;
}

/** An error response of S3. */
export interface S3Fault {
  readonly status: number;
  readonly code: string;
}

interface Received {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

class Rejection extends Error implements S3Fault {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const maxBodyBytes = 64 * 1_048_576;

/**
 * A small S3-compatible service in memory, on loopback: objects with PUT, GET, HEAD and DELETE, lists in pages, multipart uploads, in path style.
 * Signatures, digests of bodies and sizes of parts are verified as S3 does.
 */
export class S3Server implements AsyncDisposable {
  /** Content by `bucket/key`. */
  readonly objects = new Map<string, Buffer>();
  /** Parts of uploads that were neither completed nor aborted, by upload id. */
  readonly uploads = new Map<string, Map<number, Buffer>>();
  /** `METHOD /path?query` of each request. */
  readonly requests: string[] = [];
  readonly #options: S3ServerOptions;
  readonly #server: Server;

  private constructor(options: S3ServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#reply(request).then(
        ({ status = 200, headers = {}, body = "" }) => response.writeHead(status, headers).end(body),
        (error: unknown) => {
          if (error === "disconnect") return request.socket.destroy();
          const { status, code, message } = error instanceof Rejection ? error : new Rejection(500, "InternalError");
          const xml = `<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
          return response.writeHead(status, { connection: "close" }).end(request.method === "HEAD" ? "" : xml);
        },
      );
    });
  }

  static async start(options: S3ServerOptions): Promise<S3Server> {
    const server = new S3Server(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, "close");
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    const { method = "", url: target = "" } = request;
    this.requests.push(`${method} ${target}`);
    const url = new URL(target, this.url);
    const fault = this.#options.fault?.({ method, path: target });
    const body = await bodyOf(request);
    if (fault === "disconnect") throw fault;
    if (fault !== undefined) throw new Rejection(fault.status, fault.code, "Injected");
    this.#authenticate(request, url, body);
    const [, bucket = "", key = ""] = /^\/([^/]*)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (!this.#options.buckets.includes(bucket)) throw new Rejection(404, "NoSuchBucket");
    const received = { method, bucket, key, query: url.searchParams, body };
    if (key === "") return this.#list(received);
    return received.query.has("uploads") || received.query.has("uploadId")
      ? this.#upload(received)
      : this.#object(received);
  }

  #authenticate({ method = "", headers }: IncomingMessage, url: URL, body: Buffer): void {
    const { credentials, region = "us-east-1" } = this.#options;
    const given = headers.authorization ?? "";
    const [, keyId, scopeRegion, names = ""] =
      /Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+)/.exec(given) ?? [];
    if (keyId === undefined) throw new Rejection(403, "AccessDenied", "The request is not signed");
    if (keyId !== credentials.accessKeyId) throw new Rejection(403, "InvalidAccessKeyId");
    if (scopeRegion !== region) throw new Rejection(400, "AuthorizationHeaderMalformed", `expecting '${region}'`);
    const bodyHash = String(headers["x-amz-content-sha256"]);
    if (bodyHash !== sha256(body)) throw new Rejection(400, "XAmzContentSHA256Mismatch");
    const signed = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name])]));
    const expected = authorizationHeader({ method, url, headers: signed, bodyHash }, credentials, {
      region,
      service: "s3",
    });
    if (given !== expected || signed["host"] === undefined) throw new Rejection(403, "SignatureDoesNotMatch");
    if (headers["x-amz-security-token"] !== credentials.sessionToken) throw new Rejection(400, "InvalidToken");
  }

  #object({ method, bucket, key, body }: Received): Reply {
    const name = `${bucket}/${key}`;
    switch (method) {
      case "PUT":
        this.objects.set(name, body);
        return { headers: { etag: etagOf(body) } };
      case "DELETE":
        this.objects.delete(name);
        return { status: 204 };
      case "GET":
      case "HEAD": {
        const content = this.objects.get(name);
        if (content === undefined) throw new Rejection(404, "NoSuchKey");
        const headers = { etag: etagOf(content), "content-length": String(content.length) };
        return { headers, body: method === "GET" ? content : "" };
      }
      default:
        throw new Rejection(405, "MethodNotAllowed");
    }
  }

  #list({ bucket, query }: Received): Reply {
    const { pageSize = 1_000 } = this.#options;
    const begin = `${bucket}/${query.get("prefix") ?? ""}`;
    const after = query.get("continuation-token") ?? "";
    const names = [...this.objects.keys()].filter((name) => name.startsWith(begin) && name > after).sort();
    const page = names.slice(0, pageSize);
    const isTruncated = names.length > page.length;
    // As S3, which encodes a space as a plus sign here.
    const encoded = (key: string): string => encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/");
    const keys = page.map((name) => `<Contents><Key>${encoded(name.slice(bucket.length + 1))}</Key></Contents>`);
    const next = isTruncated ? `<NextContinuationToken>${escaped(page.at(-1) ?? "")}</NextContinuationToken>` : "";
    const xml = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isTruncated}</IsTruncated>${keys.join("")}${next}</ListBucketResult>`;
    return { headers: { "content-type": "application/xml" }, body: xml };
  }

  #upload({ method, bucket, key, query, body }: Received): Reply {
    if (query.has("uploads")) {
      const created = randomUUID();
      this.uploads.set(created, new Map());
      return { body: `<InitiateMultipartUploadResult><UploadId>${created}</UploadId></InitiateMultipartUploadResult>` };
    }
    const id = query.get("uploadId") ?? "";
    const parts = this.uploads.get(id);
    if (parts === undefined) throw new Rejection(404, "NoSuchUpload");
    if (method === "PUT") {
      parts.set(Number(query.get("partNumber")), body);
      return { headers: { etag: etagOf(body) } };
    }
    this.uploads.delete(id);
    if (method === "DELETE") return { status: 204 };
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const content = listed.map(([, number, etag]) => {
      const part = parts.get(Number(number));
      if (part === undefined || etagOf(part) !== etag) throw new Rejection(400, "InvalidPart");
      return part;
    });
    const { minPartBytes = 5 * 1_048_576 } = this.#options;
    if (content.slice(0, -1).some((part) => part.length < minPartBytes)) throw new Rejection(400, "EntityTooSmall");
    this.objects.set(`${bucket}/${key}`, Buffer.concat(content));
    return { body: "<CompleteMultipartUploadResult/>" };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Rejection(400, "EntityTooLarge");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function etagOf(content: Buffer): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

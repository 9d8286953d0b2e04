import { createHash, createHmac } from "node:crypto";

/** Access keys of an S3-compatible service. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
}

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** Its path is percent-encoded already, as by {@link encodePath}. */
  readonly url: URL;
  /** All of them are signed, with lower-case names; `host` and `x-amz-date` are among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string;
}

/** Where a signature is valid. */
export interface SignatureScope {
  readonly region: string;
  readonly service: string;
}

const algorithm = "AWS4-HMAC-SHA256";

/** The value of the `authorization` header by AWS Signature Version 4. */
export function authorizationHeader(
  request: SignedRequest,
  credentials: AwsCredentials,
  { region, service }: SignatureScope,
): string {
  const time = request.headers["x-amz-date"] ?? "";
  const scope = [time.slice(0, 8), region, service, "aws4_request"];
  const { canonical, signedHeaders } = canonicalRequest(request);
  const signed = [algorithm, time, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = Buffer.from(hmac(key, signed)).toString("hex");
  const credential = [credentials.accessKeyId, ...scope].join("/");
  return `${algorithm} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

function canonicalRequest({ method, url, headers, bodyHash }: SignedRequest) {
  const names = Object.keys(headers).sort();
  const signedHeaders = names.join(";");
  const query = [...url.searchParams]
    .map(([name, value]): readonly [string, string] => [encodeStrictly(name), encodeStrictly(value)])
    .sort(([one, first], [other, second]) => compare(one, other) || compare(first, second))
    .map((pair) => pair.join("="))
    .join("&");
  const lines = names.map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, " ")}\n`).join("");
  return { canonical: [method, url.pathname, query, lines, signedHeaders, bodyHash].join("\n"), signedHeaders };
}

/** Percent-encodes all but unreserved characters (RFC 3986), and slashes. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeStrictly).join("/");
}

/** `2015-08-30T12:36:00.000Z` as `20150830T123600Z`. */
export function amzDate(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d{3}/g, "");
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

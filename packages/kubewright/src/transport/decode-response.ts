import { parseJson } from "@kubewright/core/json";
import type { TransportRequest, TransportResponse } from "@kubewright/core/transport";
import { decodeList } from "../decode/index.js";
import type { RawResponse } from "./buffered-response.js";

/** The limit of an uncompressed response also holds after decompression, so that a gzip bomb cannot exhaust memory. */
const maxBodyBytes = 512 * 1024 * 1024;

/** Why a response cannot be decoded; becomes the end of a TRANSPORT_FAILED message. */
class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}

/**
 * Decompresses and parses a response: JSON to its value, other content types to a string.
 *
 * Throws {@link UnreadableResponse} for what no API server sends: invalid JSON, an unknown content encoding, or HTML where JSON was requested,
 * which comes from a proxy or a login page in between.
 */
export function decodeResponse(
  request: TransportRequest,
  response: RawResponse,
): TransportResponse | Promise<TransportResponse> {
  const encoding = response.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return parseResponse(request, response, response.body);
  if (encoding !== "gzip")
    throw new UnreadableResponse(`the response has the content encoding "${encoding}", which was not requested`);
  return unpack(response.body).then((body) => parseResponse(request, response, body));
}

function parseResponse(request: TransportRequest, { status, headers }: RawResponse, body: Buffer): TransportResponse {
  const type = headers["content-type"] ?? "";
  if (!type.includes("json")) {
    const text = body.toString("utf8");
    const accepted = request.headers?.["accept"] ?? "application/json";
    if (type.startsWith("text/html") && accepted.includes("json")) {
      throw new UnreadableResponse(
        `the response (status ${status}) is HTML and not from an API server: "${startOf(text)}"; check the server's address, and for a proxy or login page in between`,
      );
    }
    return { status, headers, body: text };
  }
  // A response without a body decodes to the empty string.
  if (body.length === 0) return { status, headers, body: "" };
  try {
    const parse = request.withoutManagedFields === true ? decodeList : parseJsonBytes;
    return { status, headers, body: parse(body) };
  } catch (cause) {
    const start = startOf(body.toString("utf8", 0, 400));
    throw new UnreadableResponse(`the response (status ${status}) is not JSON: "${start}"`, { cause });
  }
}

/** Parses the whole body. Throws a SyntaxError for invalid JSON. */
export function parseJsonBytes(bytes: Buffer): unknown {
  return parseJson(bytes.toString("utf8"));
}

async function unpack(body: Buffer): Promise<Buffer> {
  const { gunzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength: maxBodyBytes }, (error, unpacked) => {
      if (error === null) return resolve(unpacked);
      reject(new UnreadableResponse(`the response cannot be decompressed: ${error.message}`, { cause: error }));
    });
  });
}

function startOf(text: string): string {
  return text.slice(0, 80).replace(/\s+/g, " ");
}

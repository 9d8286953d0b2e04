import { parseJson } from "@kubewright/core/json";
import type { TransportRequest, TransportResponse } from "@kubewright/core/transport";
import { decodeList } from "../decode/index.js";
import type { RawAnswer } from "./whole-answer.js";

/** Unpacked, an answer may be as long as one that came unpacked: what unpacks to more is refused before it fills the memory. */
const maxBodyBytes = 512 * 1024 * 1024;

/** What is wrong with an answer; becomes the end of a TRANSPORT_FAILED message. */
class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/**
 * Unpacks and parses an answer: JSON to its value, other text to a string.
 *
 * Throws {@link UnreadableAnswer} for what an API server does not say: broken JSON, an unknown encoding, or a page for people where JSON
 * was asked for, which is the word of a proxy or a login page in between.
 */
export function decodeAnswer(
  request: TransportRequest,
  answer: RawAnswer,
): TransportResponse | Promise<TransportResponse> {
  const encoding = answer.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return parseAnswer(request, answer, answer.body);
  if (encoding !== "gzip")
    throw new UnreadableAnswer(`the answer is encoded as "${encoding}", which was not asked for`);
  return unpack(answer.body).then((body) => parseAnswer(request, answer, body));
}

function parseAnswer(request: TransportRequest, { status, headers }: RawAnswer, body: Buffer): TransportResponse {
  const type = headers["content-type"] ?? "";
  if (!type.includes("json")) {
    const text = body.toString("utf8");
    const accepted = request.headers?.["accept"] ?? "application/json";
    if (type.startsWith("text/html") && accepted.includes("json")) {
      throw new UnreadableAnswer(
        `the answer (status ${status}) is a page for people, not of an API server: "${startOf(text)}"; check the server's address, and a proxy or login page in between`,
      );
    }
    return { status, headers, body: text };
  }
  // An answer without a body, for instance to a request that was only checked, is empty text.
  if (body.length === 0) return { status, headers, body: "" };
  try {
    const parse = request.withoutManagedFields === true ? decodeList : parseWhole;
    return { status, headers, body: parse(body) };
  } catch (cause) {
    const start = startOf(body.toString("utf8", 0, 400));
    throw new UnreadableAnswer(`the answer (status ${status}) is not JSON: "${start}"`, { cause });
  }
}

/** All of it, at once. Throws a SyntaxError for what is not JSON. */
export function parseWhole(bytes: Buffer): unknown {
  return parseJson(bytes.toString("utf8"));
}

async function unpack(body: Buffer): Promise<Buffer> {
  const { gunzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength: maxBodyBytes }, (error, unpacked) => {
      if (error === null) return resolve(unpacked);
      reject(new UnreadableAnswer(`the answer cannot be unpacked: ${error.message}`, { cause: error }));
    });
  });
}

function startOf(text: string): string {
  return text.slice(0, 80).replace(/\s+/g, " ");
}

import { OperatorError } from "@kubewright/core/errors";

/** Longer than any object that an API server stores, whose limit is 1.5 MiB in etcd; a watch event wraps one. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * The values of a stream of JSON lines, as they come.
 *
 * Throws TRANSPORT_FAILED, with the start of the line in it, for one that is not JSON or longer than 16 MiB.
 */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = textOf(parts, chunk.subarray(start, end));
      parts = [];
      length = 0;
      start = end + 1;
      if (line.trim() !== "") yield parseLine(line);
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > maxLineBytes) {
        throw new OperatorError("TRANSPORT_FAILED", `Cannot read watch event: it is longer than ${maxLineBytes} bytes`);
      }
    }
  }
  const rest = Buffer.concat(parts).toString("utf8");
  if (rest.trim() !== "") yield parseLine(rest);
}

/** Most lines lie within one chunk: those are read where they are. */
function textOf(before: readonly Uint8Array[], last: Uint8Array): string {
  if (before.length > 0) return Buffer.concat([...before, last]).toString("utf8");
  return Buffer.from(last.buffer, last.byteOffset, last.byteLength).toString("utf8");
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new OperatorError("TRANSPORT_FAILED", `Cannot read watch event: "${line.slice(0, 80)}" is not JSON`, {
      cause,
    });
  }
}

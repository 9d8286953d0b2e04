import { randomFillSync } from "node:crypto";

/** What a server sends over a WebSocket (RFC 6455). */
export type WebSocketFrame =
  | { readonly kind: "message"; readonly data: Buffer }
  | { readonly kind: "ping"; readonly data: Buffer }
  /** `code` is 1005 where the server gave none. */
  | { readonly kind: "close"; readonly code: number; readonly reason: string };

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The opcodes that a client sends. */
export type SentOpcode = "binary" | "close" | "pong";

/**
 * Reads the frames of a server, of any chunks of bytes; fragments become one message.
 *
 * Throws for frames that violate the protocol, and for messages above `maxBytes`.
 */
export class WebSocketReader {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** How many bytes the next step needs, so that chunks are joined once. */
  #needed = 2;
  #fragments: Buffer[] | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that these bytes complete. */
  push(chunk: Buffer): WebSocketFrame[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const frames: WebSocketFrame[] = [];
    while (this.#bytes >= this.#needed) {
      const frame = this.#next(this.#joined());
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, joined);
    return joined;
  }

  /** Takes one frame, or notes how many bytes it needs. */
  #next(bytes: Buffer): WebSocketFrame | undefined {
    const [first = 0, second = 0] = bytes;
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) throw new Error("the server uses a WebSocket extension that was not requested");
    if ((second & 0x80) !== 0) throw new Error("the server sent a masked WebSocket frame");
    const short = second & 0x7f;
    const isControl = opcode >= opcodes.close;
    if (isControl && (!isFinal || short > 125)) throw new Error("the server sent an invalid WebSocket control frame");
    const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < headBytes) return this.#need(headBytes);
    const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
    const before = this.#fragments?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    if (before + length > this.#maxBytes)
      throw new Error(`the server sent a WebSocket message of more than ${this.#maxBytes} bytes`);
    if (bytes.length < headBytes + length) return this.#need(headBytes + length);
    const end = headBytes + length;
    this.#chunks.splice(0, this.#chunks.length, bytes.subarray(end));
    this.#bytes -= end;
    this.#needed = 2;
    return this.#frame(opcode, isFinal, bytes.subarray(headBytes, end));
  }

  #need(bytes: number): undefined {
    this.#needed = bytes;
  }

  #frame(opcode: number, isFinal: boolean, data: Buffer): WebSocketFrame | undefined {
    switch (opcode) {
      case opcodes.text:
      case opcodes.binary:
      case opcodes.continuation: {
        if ((opcode === opcodes.continuation) !== (this.#fragments !== undefined))
          throw new Error("the server sent WebSocket fragments out of order");
        if (!isFinal) {
          this.#fragments = [...(this.#fragments ?? []), data];
          return undefined;
        }
        const whole = this.#fragments === undefined ? data : Buffer.concat([...this.#fragments, data]);
        this.#fragments = undefined;
        return { kind: "message", data: whole };
      }
      case opcodes.close: {
        const code = data.length < 2 ? 1005 : data.readUInt16BE(0);
        return { kind: "close", code, reason: data.subarray(2).toString("utf8") };
      }
      case opcodes.ping:
        return { kind: "ping", data };
      case opcodes.pong:
        return undefined;
      default:
        throw new Error(`the server sent a WebSocket frame of unknown opcode ${opcode}`);
    }
  }
}

/** A frame of a client: masked with random bytes, as the protocol demands. */
export function clientFrame(opcode: SentOpcode, data: Uint8Array): Buffer {
  const { length } = data;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = 2 + lengthBytes;
  const frame = Buffer.allocUnsafe(head + 4 + length);
  frame[0] = 0x80 | opcodes[opcode];
  frame[1] = 0x80 | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  randomFillSync(frame, head, 4);
  for (let index = 0; index < length; index++)
    frame[head + 4 + index] = (data[index] ?? 0) ^ (frame[head + (index & 3)] ?? 0);
  return frame;
}

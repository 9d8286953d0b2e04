import { OperatorError } from "@kubewright/core/errors";

const newline = 0x0a;

/** Larger than any watch event: etcd limits an object to 1.5 MiB. */
const maxLineBytes = 16 * 1024 * 1024;

/** Splits chunks of bytes into lines. A line is a view of its chunk; it is copied only if it spans chunks. */
export class LineSplitter {
  /** Reused buffer for lines that span chunks, which is about every second line. */
  #joined = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  /** Offset of the next line in the first chunk. */
  #start = 0;
  /** Chunks before this index contain no newline. */
  #searched = 0;
  #bytes = 0;

  /** Buffered bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Returns the next complete line without its newline, valid until the next call; undefined: more bytes are needed. Throws TRANSPORT_FAILED beyond 16 MiB. */
  next(): Buffer | undefined {
    for (; this.#searched < this.#chunks.length; this.#searched++) {
      const chunk = this.#chunks[this.#searched];
      const end = chunk?.indexOf(newline, this.#searched === 0 ? this.#start : 0) ?? -1;
      if (end >= 0) return this.#take(end);
    }
    if (this.#bytes > maxLineBytes)
      throw new OperatorError("TRANSPORT_FAILED", `Cannot read watch event: it is longer than ${maxLineBytes} bytes`);
    return undefined;
  }

  /** Returns the remaining bytes after the last newline. */
  rest(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#chunks.splice(0);
    const rest = Buffer.concat([first.subarray(this.#start), ...more]);
    this.#start = 0;
    this.#searched = 0;
    this.#bytes = 0;
    return rest;
  }

  /** Returns the line that ends at `end` in the last searched chunk. */
  #take(end: number): Buffer {
    const spanned = this.#chunks.splice(0, this.#searched);
    const last = this.#chunks[0] ?? Buffer.alloc(0);
    const line = spanned.length === 0 ? last.subarray(this.#start, end) : this.#join(spanned, last.subarray(0, end));
    this.#bytes -= line.length + 1;
    this.#searched = 0;
    this.#start = end + 1;
    if (this.#start === last.length) {
      this.#chunks.shift();
      this.#start = 0;
    }
    return line;
  }

  #join(spanned: readonly Buffer[], last: Buffer): Buffer {
    let length = last.length - this.#start;
    for (const chunk of spanned) length += chunk.length;
    if (this.#joined.length < length) this.#joined = Buffer.allocUnsafe(length * 2);
    let at = 0;
    for (const chunk of spanned) at += chunk.copy(this.#joined, at, at === 0 ? this.#start : 0);
    last.copy(this.#joined, at);
    return this.#joined.subarray(0, length);
  }
}

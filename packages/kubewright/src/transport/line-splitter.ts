import { OperatorError } from "@kubewright/core/errors";

const newline = 0x0a;

/** Longer than any object that an API server stores, whose limit is 1.5 MiB in etcd; a watch event wraps one. */
const maxLineBytes = 16 * 1024 * 1024;

/** Cuts bytes into lines, however they come. Lines are read where they lie, and copied only where they span chunks. */
export class LineSplitter {
  /** Where lines that span chunks are put together, one after another: about every second one does. */
  #joined = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  /** Where the next line begins in the first chunk. */
  #start = 0;
  /** The chunks before this one hold no end of a line. */
  #searched = 0;
  #bytes = 0;

  /** How many bytes wait. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole line without its end, good until the next call; undefined when more bytes are needed. Throws TRANSPORT_FAILED for one longer than 16 MiB. */
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

  /** What is left when no more bytes come. */
  rest(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#chunks.splice(0);
    const rest = Buffer.concat([first.subarray(this.#start), ...more]);
    this.#start = 0;
    this.#searched = 0;
    this.#bytes = 0;
    return rest;
  }

  /** The line that ends at `end` in the chunk that was searched last. */
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

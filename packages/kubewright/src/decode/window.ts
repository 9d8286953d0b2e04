import { wasm } from "./end-of-value.gen.js";

/** As many bytes are looked at without another copy: WebAssembly reads its own memory only. */
const windowBytes = 64 * 1024;

interface Program {
  readonly window: Uint8Array;
  endOf(at: number, limit: number): number;
}

/** What {@link Window.endOf} found. */
export interface Ending {
  /** The place behind the value; -1 where it does not end within reach. */
  end: number;
  /** Whether each of its bytes is a character. */
  isAscii: boolean;
}

/** What of Node's WebAssembly is used here; TypeScript knows it as a part of browsers only. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: unknown };
    }
  | undefined;

let program: Program | undefined;
/** Whose bytes are in the program's memory. */
let owner: Window | undefined;

/** Finds where long values of JSON text end, 64 bytes at a time, which JavaScript cannot. */
export class Window {
  readonly #bytes: Buffer;
  #from = 0;
  #to = 0;
  readonly #ending: Ending = { end: -1, isAscii: false };

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * The end of the object or list that begins at `at`: what comes back is good until the next call. There is none for a value that does not end, nor
   * for one that is longer than 64 KiB.
   */
  endOf(at: number): Readonly<Ending> {
    program ??= instantiate();
    const ending = this.#ending;
    if (owner !== this || at < this.#from || at >= this.#to) this.#load(program, at);
    let found = program.endOf(at - this.#from, this.#to - this.#from);
    if (found < 0 && this.#from < at && this.#to < this.#bytes.length) {
      this.#load(program, at);
      found = program.endOf(0, this.#to - at);
    }
    ending.end = found < 0 ? -1 : this.#from + (found >> 1);
    ending.isAscii = (found & 1) === 0;
    return ending;
  }

  #load({ window }: Program, at: number): void {
    owner = this;
    this.#from = at;
    this.#to = Math.min(at + windowBytes, this.#bytes.length);
    window.set(at === 0 && this.#to === this.#bytes.length ? this.#bytes : this.#bytes.subarray(at, this.#to));
  }
}

function instantiate(): Program {
  // `node --jitless` has none.
  if (typeof WebAssembly === "undefined") return { window: new Uint8Array(windowBytes), endOf: () => -1 };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, "base64")));
  const { memory, endOf } = exports as { memory: { buffer: ArrayBuffer }; endOf: Program["endOf"] };
  return { window: new Uint8Array(memory.buffer), endOf };
}

import { wasm } from "./end-of-value.gen.js";

/** Bytes per copy into WebAssembly memory: WebAssembly reads its own memory only. */
const windowBytes = 64 * 1024;

interface WasmExports {
  readonly window: Uint8Array;
  endOf(at: number, limit: number): number;
}

/** What {@link Window.endOf} found. */
export interface Ending {
  /** The offset after the value; -1 if it does not end in the window. */
  end: number;
  /** Whether all its bytes are ASCII. */
  isAscii: boolean;
  /** Whether it may contain a number of 16 or more digits. */
  hasLongNumber: boolean;
}

/** The used part of WebAssembly, which TypeScript declares for browsers only. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: unknown };
    }
  | undefined;

let instance: WasmExports | undefined;
/** The reader whose bytes are in WebAssembly memory. */
let owner: Window | undefined;

/** Finds the ends of long JSON values, 64 bytes at a time with SIMD. */
export class Window {
  readonly #bytes: Buffer;
  #from = 0;
  #to = 0;
  readonly #ending: Ending = { end: -1, isAscii: false, hasLongNumber: true };

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * Finds the end of the object or array at `at`; the result is valid until the next call. There is no end for an unterminated value, nor for one
   * longer than 64 KiB.
   */
  endOf(at: number): Readonly<Ending> {
    instance ??= instantiate();
    const ending = this.#ending;
    if (owner !== this || at < this.#from || at >= this.#to) this.#load(instance, at);
    let found = instance.endOf(at - this.#from, this.#to - this.#from);
    if (found < 0 && this.#from < at && this.#to < this.#bytes.length) {
      this.#load(instance, at);
      found = instance.endOf(0, this.#to - at);
    }
    ending.end = found < 0 ? -1 : this.#from + (found >> 2);
    ending.isAscii = (found & 1) === 0;
    ending.hasLongNumber = (found & 2) !== 0;
    return ending;
  }

  #load({ window }: WasmExports, at: number): void {
    owner = this;
    this.#from = at;
    this.#to = Math.min(at + windowBytes, this.#bytes.length);
    window.set(at === 0 && this.#to === this.#bytes.length ? this.#bytes : this.#bytes.subarray(at, this.#to));
  }
}

function instantiate(): WasmExports {
  // `node --jitless` has no WebAssembly.
  if (typeof WebAssembly === "undefined") return { window: new Uint8Array(windowBytes), endOf: () => -1 };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, "base64")));
  const { memory, endOf } = exports as { memory: { buffer: ArrayBuffer }; endOf: WasmExports["endOf"] };
  return { window: new Uint8Array(memory.buffer), endOf };
}

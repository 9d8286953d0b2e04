import type { CommandStreams } from "./command-streams.js";

/** Shows that something takes time, and how far it is. */
export interface Progress extends AsyncDisposable {
  /** Whether there is a terminal to show it in. */
  readonly isShown: boolean;
  /** What is happening now. */
  step(text: string): void;
  /** Removes what is shown. */
  stop(): void;
}

/** A spinner where a person looks at a terminal; nothing in a pipe, and for JSON. */
export async function startProgress({ out }: CommandStreams, output: string): Promise<Progress> {
  if (output !== "text" || out !== process.stdout || !process.stdout.isTTY) {
    const nothing = (): void => {};
    return { isShown: false, step: nothing, stop: nothing, [Symbol.asyncDispose]: async () => {} };
  }
  // Loaded only where it is used.
  const { spinner } = await import("@clack/prompts");
  const shown = spinner();
  let isSpinning = false;
  const stop = (): void => {
    if (isSpinning) shown.clear();
    isSpinning = false;
  };
  return {
    isShown: true,
    step: (text) => {
      if (isSpinning) shown.message(text);
      else shown.start(text);
      isSpinning = true;
    },
    stop,
    [Symbol.asyncDispose]: async () => stop(),
  };
}

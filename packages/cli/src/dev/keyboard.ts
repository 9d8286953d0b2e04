import { emitKeypressEvents, type Key } from "node:readline";
import type { ReadStream } from "node:tty";

/** What the keys do. */
export interface KeyActions {
  readonly filter: (part: string) => void;
  readonly pause: () => void;
  readonly copyKubeconfig: () => void;
  readonly reload: () => void;
  readonly help: () => void;
  readonly quit: () => void;
  /** Shows what was typed so far after `f`. */
  readonly prompt: (text: string) => void;
}

/**
 * Reads single keys from a terminal until it is disposed. After `f`, letters are the filter until Enter; Escape cancels it.
 *
 * Ctrl-C no longer raises SIGINT in raw mode: it is `quit`.
 */
export function readKeys(input: ReadStream, actions: KeyActions): Disposable {
  let typed: string | undefined;
  const typing = (text: string | undefined): void => {
    typed = text;
    if (text !== undefined) actions.prompt(`filter: ${text}`);
  };
  const edit = (text: string, character: string | undefined, { name }: Key): void => {
    if (name === "return") actions.filter(text);
    if (name === "return" || name === "escape") typing(undefined);
    else typing(name === "backspace" ? text.slice(0, -1) : text + (character ?? ""));
  };
  const commands: Readonly<Record<string, () => void>> = {
    f: () => typing(""),
    p: actions.pause,
    k: actions.copyKubeconfig,
    r: actions.reload,
    q: actions.quit,
    "?": actions.help,
  };
  const onKey = (character: string | undefined, key: Key): void => {
    if (key.ctrl === true && (key.name === "c" || key.name === "d")) actions.quit();
    else if (typed !== undefined) edit(typed, character, key);
    else commands[character ?? ""]?.();
  };
  emitKeypressEvents(input);
  input.setRawMode(true);
  input.on("keypress", onKey);
  input.resume();
  return {
    [Symbol.dispose]: () => {
      input.off("keypress", onKey);
      input.setRawMode(false);
      input.pause();
    },
  };
}

/** The escape sequence (OSC 52) that asks a terminal to copy a text; terminals without it ignore it. */
export function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
}

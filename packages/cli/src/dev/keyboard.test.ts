import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { expect, test } from "vitest";
import { copySequence, readKeys } from "./keyboard.js";

/** A terminal to type into, and what its keys did, in order. */
function terminal() {
  const did: string[] = [];
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) });
  const keys = readKeys(input as unknown as ReadStream, {
    filter: (part) => did.push(`filter "${part}"`),
    prompt: (text) => did.push(text),
    pause: () => did.push("pause"),
    copyKubeconfig: () => did.push("copy"),
    reload: () => did.push("reload"),
    help: () => did.push("help"),
    quit: () => did.push("quit"),
  });
  const type = (text: string): string[] => {
    did.length = 0;
    input.write(text);
    return [...did];
  };
  return { keys, type, modes };
}

test("single keys pause, copy, reload, help and quit, and others do nothing", () => {
  const { type } = terminal();
  expect(type("pkrx?q")).toEqual(["pause", "copy", "reload", "help", "quit"]);
  expect(type("\u0003\u0004")).toEqual(["quit", "quit"]);
});

test("after f letters are the filter until Enter, backspace removes one, and keys are commands again", () => {
  const { type } = terminal();
  expect(type("f")).toEqual(["filter: "]);
  expect(type("pq\u007f")).toEqual(["filter: p", "filter: pq", "filter: p"]);
  expect(type("\r")).toEqual(['filter "p"']);
  expect(type("p")).toEqual(["pause"]);
});

test("Ctrl-C quits while a filter is typed, and an empty filter shows all", () => {
  const { type } = terminal();
  expect(type("fa\u0003")).toEqual(["filter: ", "filter: a", "quit"]);
  expect(type("\u007f\r")).toEqual(["filter: ", 'filter ""']);
});

test("disposing leaves the raw mode, and no key is read any more", () => {
  const { keys, type, modes } = terminal();
  keys[Symbol.dispose]();
  expect(modes).toEqual([true, false]);
  expect(type("p")).toEqual([]);
});

test("the kubeconfig line is copied by the escape sequence of terminals", () => {
  expect(copySequence("export KUBECONFIG=a")).toBe("\u001b]52;c;ZXhwb3J0IEtVQkVDT05GSUc9YQ==\u0007");
});

import type { Program } from "./program.js";
import type { Assertion } from "./syntax-tree.js";

/** How many states are remembered before all are forgotten: memory stays bounded, time stays linear. */
const maxStates = 2_000;

/** How many characters each of them knows. */
const maxRemembered = 512;

const newline = 10;
/** Stands for the end of the text where a character is expected. */
const end = -1;

/** What the character before a place says to assertions. */
type Before = "start" | "newline" | "word" | "other";

/** A set of instructions that wait for the next character. */
interface State {
  readonly waiting: readonly number[];
  readonly before: Before;
  readonly next: Map<number, State | "matched" | "failed">;
}

/**
 * Tells whether a pattern matches anywhere in a text, in time linear in the text's length: all ways to match are followed at once, and
 * what was found for a set of ways and a character is remembered.
 */
export class Matcher {
  readonly #program: Program;
  #states = new Map<string, State>();

  constructor(program: Program) {
    this.#program = program;
  }

  matches(text: string): boolean {
    let state = this.#state([], "start");
    for (let at = 0; ; ) {
      const rune = text.codePointAt(at) ?? end;
      const found = this.#step(state, rune);
      if (found === "matched") return true;
      if (found === "failed" || rune === end) return false;
      state = found;
      at += rune > 0xffff ? 2 : 1;
    }
  }

  #step(state: State, rune: number): State | "matched" | "failed" {
    const known = state.next.get(rune);
    if (known !== undefined) return known;
    const found = this.#compute(state, rune);
    if (state.next.size < maxRemembered) state.next.set(rune, found);
    return found;
  }

  #compute(state: State, rune: number): State | "matched" | "failed" {
    const seen = new Set<number>();
    const reached: number[] = [];
    // A match may begin at every place.
    const open = [this.#program.start, ...state.waiting];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const instruction = this.#program.instructions[index];
      switch (instruction?.kind) {
        case "match":
          return "matched";
        case "split":
          open.push(instruction.other, instruction.next);
          break;
        case "assert":
          if (holds(instruction.what, state.before, rune)) open.push(instruction.next);
          break;
        case "rune":
          if (rune !== end && instruction.set.has(rune)) reached.push(instruction.next);
          break;
        default:
      }
    }
    return rune === end ? "failed" : this.#state(reached, beforeOf(rune));
  }

  #state(reached: readonly number[], before: Before): State {
    const waiting = [...new Set(reached)].sort((a, b) => a - b);
    const key = `${before} ${waiting.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= maxStates) this.#states = new Map();
    const state: State = { waiting, before, next: new Map() };
    this.#states.set(key, state);
    return state;
  }
}

function beforeOf(rune: number): Before {
  if (rune === newline) return "newline";
  return isWord(rune) ? "word" : "other";
}

/** Words are of ASCII, as RE2 has it. */
function isWord(rune: number): boolean {
  return (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95 || (rune >= 97 && rune <= 122);
}

function holds(what: Assertion, before: Before, rune: number): boolean {
  switch (what) {
    case "text-start":
      return before === "start";
    case "text-end":
      return rune === end;
    case "line-start":
      return before === "start" || before === "newline";
    case "line-end":
      return rune === end || rune === newline;
    case "word-boundary":
      return (before === "word") !== isWord(rune);
    case "no-word-boundary":
      return (before === "word") === isWord(rune);
    default:
      return what satisfies never;
  }
}

import { stripVTControlCharacters, styleText } from "node:util";

type Colour = Parameters<typeof styleText>[0];

/** Prints the demo: with colours and pauses in a terminal, as plain text elsewhere. */
export class Narrator {
  readonly #isTerminal: boolean;
  #step = 0;

  constructor(isTerminal: boolean) {
    this.#isTerminal = isTerminal;
  }

  /** Starts a numbered step. */
  async step(title: string): Promise<void> {
    await this.#pause(700);
    this.#print(`\n${this.paint("bold", `${++this.#step}. ${title}`)}`);
  }

  /** A result, with its duration. */
  done(text: string, tookMs?: number): void {
    const time = tookMs === undefined ? "" : this.paint("dim", `  ${formatMs(tookMs)}`);
    this.#print(`   ${this.paint("green", "✔")} ${text}${time}`);
  }

  /** A command that a user would type. */
  command(text: string): void {
    this.#print(`   ${this.paint("cyan", `$ ${text}`)}`);
  }

  /** A remark. */
  say(text: string): void {
    for (const line of text.split("\n")) this.#print(`   ${this.paint("dim", line)}`);
  }

  /** One stage of the path of an event, with the time since its start. */
  async stage(name: string, what: string, sinceMs: number): Promise<void> {
    await this.#pause(120);
    this.#print(`   ${this.paint("magenta", name.padEnd(10))} ${what} ${this.paint("dim", `+${formatMs(sinceMs)}`)}`);
  }

  paint(colour: Colour, text: string): string {
    return this.#isTerminal ? styleText(colour, text) : stripVTControlCharacters(text);
  }

  #print(text: string): void {
    console.log(text);
  }

  #pause(ms: number): Promise<void> {
    return this.#isTerminal ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
  }
}

function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

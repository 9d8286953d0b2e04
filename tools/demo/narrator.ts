import { stripVTControlCharacters, styleText } from "node:util";

type Colour = Parameters<typeof styleText>[0];

/** Tells the demo's story: with colours and time to read in a terminal, plain and at once elsewhere. */
export class Narrator {
  readonly #isTerminal: boolean;
  #step = 0;

  constructor(isTerminal: boolean) {
    this.#isTerminal = isTerminal;
  }

  /** A new chapter. */
  async step(title: string): Promise<void> {
    await this.#pause(700);
    this.#print(`\n${this.paint("bold", `${++this.#step}. ${title}`)}`);
  }

  /** Something that happened. */
  done(text: string, tookMs?: number): void {
    const time = tookMs === undefined ? "" : this.paint("dim", `  ${formatMs(tookMs)}`);
    this.#print(`   ${this.paint("green", "✔")} ${text}${time}`);
  }

  /** What somebody would type. */
  command(text: string): void {
    this.#print(`   ${this.paint("cyan", `$ ${text}`)}`);
  }

  /** Explains. */
  say(text: string): void {
    for (const line of text.split("\n")) this.#print(`   ${this.paint("dim", line)}`);
  }

  /** One stage of the path of an event, drawn as a line with its time. */
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

import type { LogFields, Logger } from "@kubewright/core/log";
import { formatRun, type RecordedRun } from "kubewright";
import type { CommandStreams } from "../command-streams.js";
import { type Painter, painterFor } from "../painter.js";
import { runColours } from "../run-colours.js";

/** An event that a controller recorded, as the view shows it. */
export interface ViewedEvent {
  readonly type: string;
  readonly reason: string;
  /** Such as `Website default/shop`. */
  readonly object: string;
  readonly note: string;
}

/**
 * Prints what an operator does, as it happens: text, coloured in a terminal, or one line of JSON each.
 *
 * A filter hides runs and events whose object does not contain it. While it is paused, runs and events wait, the oldest are dropped beyond 500.
 */
export class LiveView {
  readonly #out: CommandStreams["out"];
  readonly #isJson: boolean;
  readonly #paint: Painter;
  readonly #waiting: (() => void)[] = [];
  #filter = "";
  #paused = false;
  #dropped = 0;

  constructor(streams: CommandStreams, format: string) {
    this.#out = streams.out;
    this.#isJson = format === "json";
    this.#paint = painterFor(streams);
  }

  /** A run that has ended. */
  run(run: RecordedRun): void {
    const subject = `${short(run.kind) || run.controller} ${run.key}`;
    this.#show(subject, () => {
      if (this.#isJson) {
        this.#json("run", run);
        return;
      }
      const [first = "", ...rest] = formatRun(run, runColours(this.#paint)).split("\n");
      const time = first.slice(0, 8);
      this.#line([`${this.#paint("dim", time)}  ${this.#paint("bold", subject)}${first.slice(8)}`, ...rest].join("\n"));
    });
  }

  /** A Kubernetes event of the operator. */
  event({ type, reason, object, note }: ViewedEvent): void {
    this.#show(object, () => {
      if (this.#isJson) this.#json("event", { eventType: type, reason, object, note });
      this.#line(
        `${" ".repeat(10)}${this.#paint(type === "Normal" ? "cyan" : "yellow", `event  ${type} ${reason}`)} ${object}: ${note}`,
      );
    });
  }

  /** What happened to the session itself, in one line; `fields` are for JSON. */
  note(type: string, text: string, fields: object = {}): void {
    if (this.#isJson) this.#json(type, fields);
    else this.#line(text);
  }

  /** What failed, and can be repaired by the next change. */
  problem(type: string, message: string): void {
    if (this.#isJson) this.#json(type, { message });
    else this.#line(this.#paint("red", message));
  }

  /** Shows only runs and events whose object contains this; "" shows all. */
  filter(part: string): void {
    this.#filter = part;
    this.#line(part === "" ? "Showing all objects" : `Showing objects that contain "${part}"`);
  }

  /** Holds runs and events back, or shows what was held back. */
  togglePause(): void {
    this.#paused = !this.#paused;
    if (this.#paused) {
      this.#line(this.#paint("yellow", "Paused; p continues"));
      return;
    }
    this.#line(this.#paint("yellow", "Continues"));
    if (this.#dropped > 0) this.#line(`${this.#dropped} runs and events were dropped`);
    this.#dropped = 0;
    for (const show of this.#waiting.splice(0)) show();
  }

  /** A part in bold where colours are shown. */
  bold(text: string): string {
    return this.#paint("bold", text);
  }

  /** The operator's log, without what is about one run: that is part of the run. */
  logger(bound: LogFields = {}): Logger {
    const write = (level: "warn" | "error", fields: LogFields, message: string): void => {
      const all = { ...bound, ...fields };
      if ("reconcileId" in all) return;
      const { err, ...others } = all;
      const why = err instanceof Error ? `: ${err.message}` : "";
      if (this.#isJson) this.#json("log", { level, message: `${message}${why}`, ...others });
      this.#line(this.#paint(level === "error" ? "red" : "yellow", `${level}: ${message}${why}`));
    };
    return {
      debug() {},
      info() {},
      warn: (fields, message) => write("warn", fields, message),
      error: (fields, message) => write("error", fields, message),
      child: (fields) => this.logger({ ...bound, ...fields }),
    };
  }

  #show(subject: string, show: () => void): void {
    if (!subject.toLowerCase().includes(this.#filter.toLowerCase())) return;
    if (!this.#paused) {
      show();
      return;
    }
    this.#waiting.push(show);
    if (this.#waiting.length > 500) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
  }

  #json(type: string, fields: object): void {
    this.#out.write(`${JSON.stringify({ type, ...fields })}\n`);
  }

  #line(text: string): void {
    if (!this.#isJson) this.#out.write(`${text}\n`);
  }
}

function short(kind: string): string {
  return kind.slice(kind.lastIndexOf("/") + 1);
}

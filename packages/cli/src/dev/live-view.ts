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
 *
 * A failure is printed once: a run that fails in the same way again is one line, and its event is left out. JSON has all of it.
 */
export class LiveView {
  readonly #out: CommandStreams["out"];
  readonly #isJson: boolean;
  readonly #paint: Painter;
  readonly #waiting: (() => void)[] = [];
  /** The failure of an object's last run, by controller and object. */
  readonly #failures = new Map<string, { readonly error: string; readonly text: string }>();
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
      this.#runText(run, subject);
    });
  }

  /** A Kubernetes event of the operator. */
  event({ type, reason, object, note }: ViewedEvent): void {
    this.#show(object, () => {
      if (this.#isJson) this.#json("event", { eventType: type, reason, object, note });
      const isShown = [...this.#failures].some(
        ([id, { error }]) => id.endsWith(` ${object}`) && error.startsWith(note),
      );
      if (reason === "ReconcileFailed" && isShown) return;
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

  #runText(run: RecordedRun, subject: string): void {
    const { startedAt, outcome, causes } = run;
    const id = `${run.controller} ${subject}`;
    const before = this.#failures.get(id);
    const shown = {
      ...run,
      causes: causes.map((cause) =>
        before && cause.error === before.error ? { ...cause, error: "the failure above" } : cause,
      ),
    };
    const [first = "", ...rest] = formatRun(shown, runColours(this.#paint)).split("\n");
    const head = `${this.#paint("dim", startedAt.slice(11, 19))}  ${this.#paint("bold", subject)}`;
    const { kind, error = "", failures = 1, nextAfterMs = 0 } = outcome;
    if (kind !== "retry" && kind !== "terminal") {
      this.#failures.delete(id);
      this.#line([`${head}${first.slice(8)}`, ...rest].join("\n"));
      return;
    }
    // What the run did, without why it ran and when it runs again.
    const text = rest.slice(Math.max(0, causes.length - 1), -1).join("\n");
    this.#failures.set(id, { error, text });
    if (kind === "retry" && before?.error === error && before.text === text) {
      const again = this.#paint("red", `failed in the same way, ${failures} times in a row`);
      this.#line(`${head}  run ${run.run}  ${again}; next: in ${duration(nextAfterMs)} or on change`);
    } else this.#line([`${head}${first.slice(8)}`, ...rest].join("\n"));
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

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Subject } from "./case.js";
import type { Seen } from "./normalise.js";

/** What a real server answered to the cases of one subject. */
export interface Recording {
  /** The version of the server. */
  readonly kubernetes: string;
  /** By the name of the case: what each compared step gave. */
  readonly cases: Readonly<Record<string, readonly Seen[]>>;
}

function fileOf(subject: Subject): string {
  return fileURLToPath(new URL(`recorded/${subject.name}.gen.json`, import.meta.url));
}

/** The recording of a subject. Throws when there is none. */
export function readRecording(subject: Subject): Recording {
  return JSON.parse(readFileSync(fileOf(subject), "utf8"));
}

/** Writes a recording: one line for each step, so that a change is seen as one. */
export function writeRecording(subject: Subject, recording: Recording): void {
  const cases = Object.entries(recording.cases).map(
    ([name, steps]) => `${JSON.stringify(name)}: [\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]`,
  );
  writeFileSync(
    fileOf(subject),
    `{"kubernetes": ${JSON.stringify(recording.kubernetes)}, "cases": {\n${cases.join(",\n")}\n}}\n`,
  );
}

import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyMergePatch, diffMergePatch } from "@kubewright/core/patch";
import type { StepResult } from "./run-scenario.js";
import { namespaceOf, type Scenario } from "./scenario.js";
import type { Snapshot } from "./snapshot.js";

/** What a real control plane made of a scenario. */
export interface Recording {
  /** The version of the control plane. */
  readonly kubernetes: string;
  readonly steps: readonly StepResult[];
}

/** A step in a file: only what changed since the one before, as a merge patch. */
interface StoredStep {
  readonly step: string;
  readonly refused?: readonly string[];
  readonly changed: JsonValue;
}

const folder = fileURLToPath(new URL("recorded/", import.meta.url));

function fileOf(scenario: Scenario): string {
  const words = scenario.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return join(folder, `${words.slice(0, 60)}-${namespaceOf(scenario).slice(1, 5)}.gen.json`);
}

/** The recording of a scenario; undefined when there is none. */
export function readRecording(scenario: Scenario): Recording | undefined {
  const file = fileOf(scenario);
  if (!existsSync(file)) return undefined;
  const stored: { readonly kubernetes: string; readonly steps: readonly StoredStep[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  let last: JsonValue = {};
  const steps = stored.steps.map(({ step, refused = [], changed }) => {
    last = applyMergePatch(last, changed);
    return { title: step, refused, snapshot: asSnapshot(last) };
  });
  return { kubernetes: stored.kubernetes, steps };
}

/** Writes a recording: one line for each step, so that a change is seen as one. */
export function writeRecording(scenario: Scenario, { kubernetes, steps }: Recording): void {
  let last: JsonObject = {};
  const lines = steps.map(({ title, refused, snapshot }) => {
    const changed = diffMergePatch(last, snapshot) ?? {};
    last = snapshot;
    const stored: StoredStep = { step: title, ...(refused.length > 0 && { refused }), changed };
    return JSON.stringify(stored);
  });
  const head = `"kubernetes": ${JSON.stringify(kubernetes)}, "scenario": ${JSON.stringify(scenario.name)}`;
  writeFileSync(fileOf(scenario), `{${head}, "steps": [\n${lines.join(",\n")}\n]}\n`);
}

/** Removes recordings of scenarios that are no more. Gives their names. */
export function removeStale(scenarios: readonly Scenario[]): string[] {
  const stale = staleRecordings(scenarios);
  for (const name of stale) unlinkSync(join(folder, name));
  return stale;
}

/** Names of files that no scenario has. */
export function staleRecordings(scenarios: readonly Scenario[]): string[] {
  const wanted = new Set(scenarios.map(fileOf));
  return readdirSync(folder).filter((name) => name.endsWith(".gen.json") && !wanted.has(join(folder, name)));
}

function asSnapshot(value: JsonValue): Snapshot {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isJsonObject(one) ? one : {}]));
}

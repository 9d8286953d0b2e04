import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from "@kubewright/core/json";
import { applyMergePatch, diffMergePatch } from "@kubewright/core/patch";
import type { StepResult } from "./controllers/run-scenario.js";
import { namespaceOf, type Scenario } from "./controllers/scenario.js";
import type { Snapshot } from "./controllers/snapshot.js";
import type { Seen } from "./normalise.js";
import type { Subject } from "./test-case.js";

/** The responses of a real server to the cases of one subject. */
export interface SubjectRecording {
  /** The version of the server. */
  readonly kubernetes: string;
  /** By case name: the result of each compared step. */
  readonly cases: Readonly<Record<string, readonly Seen[]>>;
}

/** What the controllers of a real control plane did in a scenario. */
export interface ScenarioRecording {
  /** The version of the control plane. */
  readonly kubernetes: string;
  readonly steps: readonly StepResult[];
}

/** A scenario step as stored: what changed since the previous step, as a merge patch. */
interface StoredStep {
  readonly step: string;
  readonly rejected?: readonly string[];
  readonly changed: JsonValue;
}

const requestsFolder = fileURLToPath(new URL("requests/recorded/", import.meta.url));
const controllersFolder = fileURLToPath(new URL("controllers/recorded/", import.meta.url));

function subjectFile({ name }: Subject): string {
  return join(requestsFolder, `${name}.gen.json`);
}

function scenarioFile(scenario: Scenario): string {
  const slug = scenario.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return join(controllersFolder, `${slug.slice(0, 60)}-${namespaceOf(scenario).slice(1, 5)}.gen.json`);
}

/** The recording of a subject. Throws when there is none. */
export function readSubject(subject: Subject): SubjectRecording {
  return parseJson(readFileSync(subjectFile(subject), "utf8")) as unknown as SubjectRecording;
}

/** Writes the recording of a subject, one line per step. */
export function writeSubject(subject: Subject, { kubernetes, cases }: SubjectRecording): void {
  const parts = Object.entries(cases).map(
    ([name, steps]) => `${JSON.stringify(name)}: [\n${steps.map((step) => stringifyJson(step)).join(",\n")}\n]`,
  );
  writeFileSync(
    subjectFile(subject),
    `{"kubernetes": ${JSON.stringify(kubernetes)}, "cases": {\n${parts.join(",\n")}\n}}\n`,
  );
}

/** The recording of a scenario; undefined when there is none. */
export function readScenario(scenario: Scenario): ScenarioRecording | undefined {
  const file = scenarioFile(scenario);
  if (!existsSync(file)) return undefined;
  const stored: { readonly kubernetes: string; readonly steps: readonly StoredStep[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  let last: JsonValue = {};
  const steps = stored.steps.map(({ step, rejected = [], changed }) => {
    last = applyMergePatch(last, changed);
    return { title: step, rejected, snapshot: asSnapshot(last) };
  });
  return { kubernetes: stored.kubernetes, steps };
}

/** Writes the recording of a scenario, one line per step. */
export function writeScenario(scenario: Scenario, { kubernetes, steps }: ScenarioRecording): void {
  let last: JsonObject = {};
  const lines = steps.map(({ title, rejected, snapshot }) => {
    const changed = diffMergePatch(last, snapshot) ?? {};
    last = snapshot;
    const stored: StoredStep = { step: title, ...(rejected.length > 0 && { rejected }), changed };
    return JSON.stringify(stored);
  });
  const head = `"kubernetes": ${JSON.stringify(kubernetes)}, "scenario": ${JSON.stringify(scenario.name)}`;
  writeFileSync(scenarioFile(scenario), `{${head}, "steps": [\n${lines.join(",\n")}\n]}\n`);
}

/** Removes recordings without a scenario, and returns their names. */
export function removeStaleScenarios(scenarios: readonly Scenario[]): string[] {
  const stale = staleScenarios(scenarios);
  for (const name of stale) unlinkSync(join(controllersFolder, name));
  return stale;
}

/** The names of recordings without a scenario. */
export function staleScenarios(scenarios: readonly Scenario[]): string[] {
  const wanted = new Set(scenarios.map(scenarioFile));
  return readdirSync(controllersFolder).filter(
    (name) => name.endsWith(".gen.json") && !wanted.has(join(controllersFolder, name)),
  );
}

function asSnapshot(value: JsonValue): Snapshot {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isJsonObject(one) ? one : {}]));
}

import { isJsonObject, type JsonValue } from "@kubewright/core/json";
import type { StepResult } from "./run-scenario.js";

/** A place where what was given differs from what was recorded. */
export interface StepDifference {
  /** Counts from 1. */
  readonly step: number;
  readonly title: string;
  /** `Deployment web.status.replicas`, or `refused`. */
  readonly at: string;
  readonly recorded: unknown;
  readonly given: unknown;
}

/** All places in which the looks after the steps differ. */
export function compareSteps(recorded: readonly StepResult[], given: readonly StepResult[]): StepDifference[] {
  const count = Math.max(recorded.length, given.length);
  return Array.from({ length: count }, (_, index) => compareStep(index + 1, recorded[index], given[index])).flat();
}

/** All places in which two looks after one step differ. */
export function compareStep(
  step: number,
  recorded: StepResult | undefined,
  given: StepResult | undefined,
): StepDifference[] {
  const found: StepDifference[] = [];
  const title = recorded?.title ?? given?.title ?? "";
  const add = (at: string, a: unknown, b: unknown): void => {
    found.push({ step, title, at, recorded: a, given: b });
  };
  if (recorded?.title !== given?.title) add("step", recorded?.title, given?.title);
  descend("refused", [...(recorded?.refused ?? [])], [...(given?.refused ?? [])], add);
  const [before, after] = [recorded?.snapshot ?? {}, given?.snapshot ?? {}];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    descend(key, before[key], after[key], add);
  return found;
}

/** A difference in words. */
export function describeStepDifference({ step, title, at, recorded, given }: StepDifference): string {
  return `  step ${step} (${title})\n    ${at}\n      recorded: ${short(recorded)}\n      given:    ${short(given)}`;
}

function descend(
  at: string,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  add: (at: string, a: unknown, b: unknown) => void,
): void {
  if (Object.is(a, b)) return;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries()) descend(`${at}[${index}]`, item, b[index], add);
  } else if (isJsonObject(a) && isJsonObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) descend(`${at}.${key}`, a[key], b[key], add);
  } else add(at, a, b);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

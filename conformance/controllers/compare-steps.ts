import { type Difference, descend, short } from "../compare.js";
import type { StepResult } from "./run-scenario.js";

/** A path at which a step differs from its recording: `Deployment web.status.replicas`, or `rejected`. */
export interface StepDifference extends Difference {
  /** Counts from 1. */
  readonly step: number;
  readonly title: string;
}

/** All paths at which the snapshots after the steps differ. */
export function compareSteps(recorded: readonly StepResult[], given: readonly StepResult[]): StepDifference[] {
  const count = Math.max(recorded.length, given.length);
  return Array.from({ length: count }, (_, index) => compareStep(index + 1, recorded[index], given[index])).flat();
}

/** All paths at which two snapshots after one step differ. */
export function compareStep(
  step: number,
  recorded: StepResult | undefined,
  given: StepResult | undefined,
): StepDifference[] {
  const found: Difference[] = [];
  descend("step", recorded?.title, given?.title, found);
  descend("rejected", recorded?.rejected ?? [], given?.rejected ?? [], found);
  const [before, after] = [recorded?.snapshot ?? {}, given?.snapshot ?? {}];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    descend(key, before[key], after[key], found);
  const title = recorded?.title ?? given?.title ?? "";
  return found.map((difference) => ({ ...difference, step, title }));
}

/** Formats a difference for a test failure. */
export function describeStepDifference({ step, title, at, recorded, given }: StepDifference): string {
  return `  step ${step} (${title})\n    ${at}\n      recorded: ${short(recorded, 600)}\n      given:    ${short(given, 600)}`;
}

import { Quantity } from "@kubewright/core/quantity";
import type { ReadBehavior } from "./autoscaler-objects.js";

/** How far usage may deviate from its target without scaling, as a fraction of the target. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

const defaultTolerance = 0.1;

/** The tolerances of an HPA's behavior, else the default of 0.1. */
export function tolerancesOf(behavior: ReadBehavior | undefined): Tolerances {
  const read = (value: string | number | undefined): number =>
    value === undefined ? defaultTolerance : Quantity.parse(String(value)).toNumber();
  return { down: read(behavior?.scaleDown?.tolerance), up: read(behavior?.scaleUp?.tolerance) };
}

/** Whether usage is within tolerance of its target. */
export function isWithinTolerance(ratio: number, { down, up }: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

import { Quantity } from "@kubewright/core/quantity";
import type { ReadBehavior } from "./autoscaler-objects.js";

/** By how much usage may be off its target before anything is done, as a share of the target. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

const usual = 0.1;

/** What an autoscaler says of its tolerances, else the usual ones. */
export function tolerancesOf(behavior: ReadBehavior | undefined): Tolerances {
  const read = (value: string | number | undefined): number =>
    value === undefined ? usual : Quantity.parse(String(value)).toNumber();
  return { down: read(behavior?.scaleDown?.tolerance), up: read(behavior?.scaleUp?.tolerance) };
}

/** Whether usage is near enough to its target to leave things as they are. */
export function isNear(ratio: number, { down, up }: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

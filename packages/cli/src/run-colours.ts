import type { Painter } from "./painter.js";

/** The colours of a run. */
export function runColours(paint: Painter) {
  return {
    good: (part: string) => paint("green", part),
    bad: (part: string) => paint("red", part),
    dim: (part: string) => paint("dim", part),
  };
}

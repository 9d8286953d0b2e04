import { packageNames } from "../build/package-names.js";

/** One gate of `npm run check`: a command that ends with 0 when all is well. */
export interface Gate {
  readonly name: string;
  readonly command: readonly string[];
}

/** The gates, in the order in which they run: types first, because publint looks at what they emit. */
export const gates: readonly Gate[] = [
  { name: "types (tsc)", command: ["tsc", "-b"] },
  { name: "lint and format (biome)", command: ["biome", "check", "--error-on-warnings"] },
  { name: "layers", command: ["tsx", "tools/check/layers/main.ts"] },
  { name: "lock files", command: ["tsx", "tools/check/lock/main.ts"] },
  { name: "unused code and dependencies (knip)", command: ["knip", "--no-progress"] },
  ...packageNames.map((name) => ({
    name: `package exports of ${name} (publint)`,
    command: ["publint", "--strict", `packages/${name}`],
  })),
];

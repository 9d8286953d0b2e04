import { packageNames } from "../build/package-names.js";

/** One gate of `npm run check`: a command that exits with 0 if the check passes. */
export interface Gate {
  readonly name: string;
  readonly command: readonly string[];
}

/** The gates in order: types first, because publint checks what they emit. */
export const gates: readonly Gate[] = [
  { name: "types (tsc)", command: ["tsc", "-b"] },
  { name: "lint and format (biome)", command: ["biome", "check", "--error-on-warnings"] },
  { name: "layers", command: ["tsx", "tools/check/layers/main.ts"] },
  { name: "vocabulary", command: ["tsx", "tools/check/words/main.ts"] },
  { name: "public API (api-extractor)", command: ["tsx", "tools/api-report/main.ts"] },
  { name: "lock files", command: ["tsx", "tools/check/lock/main.ts"] },
  { name: "unused code and dependencies (knip)", command: ["knip", "--no-progress"] },
  ...packageNames.map((name) => ({
    name: `package exports of ${name} (publint)`,
    command: ["publint", "--strict", `packages/${name}`],
  })),
];

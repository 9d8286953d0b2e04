import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codedDefaults, documentedDefaults } from "./documented-defaults.js";

const root = join(import.meta.dirname, "..", "..");
const packages = readdirSync(join(root, "packages")).map((name) => {
  const folder = join(root, "packages", name, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|gen|d)\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return { name, files };
});

test("a default is read from a doc comment, a destructuring, a constant, `??` and a comparison", () => {
  const source = `const second = "1s";
export interface AOptions {
  /** One. @default 10_000 */
  readonly one?: number;
  /**
   * Two. @default "1s"
   */
  readonly two?: string;
  /** Prose. @default what the server says */
  readonly three?: string;
}
export function a({ one = 10_000 }: AOptions, { two = second }: AOptions, options: BOptions) {
  return options.four ?? 4 + send({ six: 6, ...options });
}`;
  expect(documentedDefaults(source)).toEqual([
    { owner: "AOptions", option: "one", value: "10_000" },
    { owner: "AOptions", option: "two", value: '"1s"' },
  ]);
  expect(codedDefaults("one", [source])).toEqual(["10_000"]);
  expect(codedDefaults("two", [source])).toEqual(['"1s"']);
  expect(codedDefaults("four", [source])).toEqual(["4"]);
  expect(codedDefaults("six", [source])).toEqual(["6"]);
  expect(codedDefaults("five", ["if (options.five === true) go();", "go(options.five !== false)"])).toEqual([
    "false",
    "true",
  ]);
});

test("every default in a doc comment is the default in the code", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const { name, files } of packages) {
    for (const { owner, option, value } of files.flatMap(documentedDefaults)) {
      const near = files.filter((file) => new RegExp(`\\b${owner}\\b`).test(file));
      const inNear = codedDefaults(option, near);
      const coded = new Set(inNear.length > 0 ? inNear : codedDefaults(option, files));
      // An option that is left out is undefined, and so false.
      if (coded.size === 0 && value === "false") continue;
      compared++;
      if (coded.size !== 1 || !coded.has(value)) {
        wrong.push(
          `${name}: ${owner}.${option} is documented as ${value}, coded as ${[...coded].join(", ") || "nothing"}`,
        );
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(60);
});

import { expect, test } from "vitest";
import { readYaml } from "./read-yaml.js";

const keys = (count: number, value: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `k${index}: ${value(index)}`).join("\n");

test("YAML nested beyond the limit is rejected before it is parsed", () => {
  expect(() => readYaml(`a: ${"[".repeat(1_000_000)}`)).toThrow("nested deeper than 1000");
  expect(() => readYaml(`a: ${"{b: ".repeat(1_000_000)}`)).toThrow("nested deeper than 1000");
});

test("YAML with more anchors than the limit is rejected before it is parsed", () => {
  expect(() => readYaml(keys(100_000, (index) => `&a${index} 1`))).toThrow("more than 2000 anchors");
});

test("many closed brackets, large maps and scripts with ampersands are read", () => {
  expect(readYaml(keys(5_000, () => "[1]")).value).toMatchObject({ k0: [1], k4999: [1] });
  expect(Object.keys(readYaml(keys(50_000, () => "1")).value ?? {})).toHaveLength(50_000);
  const script = "test -f a && echo b; ".repeat(5_000);
  expect(readYaml(`run: |\n  ${script}\n`).value).toEqual({ run: `${script}\n` });
});

test("aliases that would expand without bound are rejected", () => {
  const levels = "bcdefghij".split("").map((name, index) => {
    const alias = `*${"abcdefghij"[index]}`;
    return `${name}: &${name} [${Array(9).fill(alias).join(",")}]`;
  });
  expect(() => readYaml(`a: &a [x,x,x,x,x,x,x,x,x]\n${levels.join("\n")}`)).toThrow("Excessive alias count");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageVersion, userAgentOf } from "./user-agent.js";

test("a user agent has client-go's form, with the names that Go gives to systems", () => {
  expect(userAgentOf("sample/1.2")).toMatch(/^sample\/1\.2 \((linux|darwin|windows)\/(amd64|arm64)\) kubewright\/\d/);
  expect(userAgentOf("sample")).toMatch(/^sample\/unknown \(/);
  expect(userAgentOf("whole/1 (a/b) c/2")).toBe("whole/1 (a/b) c/2");
});

test("the version is that of the package", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(packageVersion).toBe(manifest.version);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageVersion, userAgentOf } from "./user-agent.js";

test("a user agent has client-go's format, with Go's names of OS and architecture", () => {
  expect(userAgentOf("sample/1.2")).toMatch(/^sample\/1\.2 \((linux|darwin|windows)\/(amd64|arm64)\) kubewright\/\d/);
  expect(userAgentOf("sample")).toMatch(/^sample\/unknown \(/);
  expect(userAgentOf("whole/1 (a/b) c/2")).toBe("whole/1 (a/b) c/2");
});

test("packageVersion equals the version in package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(packageVersion).toBe(manifest.version);
});

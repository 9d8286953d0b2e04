import { expect, test } from "vitest";
import { isPretty } from "./pretty.js";

test.each([
  ["/api/v1/pods", "curl/8.0", true],
  ["/api/v1/pods", "Mozilla/5.0 (X11)", true],
  ["/api/v1/pods", "kubectl/v1.36.4", false],
  ["/api/v1/pods?pretty=true", "kubectl/v1.36.4", true],
  ["/api/v1/pods?pretty", "curl/8.0", true],
  ["/api/v1/pods?pretty=false", "curl/8.0", false],
  ["/api/v1/pods?pretty=yes", "curl/8.0", false],
  ["/openapi/v2", "curl/8.0", false],
])("%s for %s: indented is %s", (url, agent, expected) => {
  expect(isPretty({ url, headers: { "user-agent": agent } })).toBe(expected);
});

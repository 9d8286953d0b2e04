import { expect, test } from "vitest";
import { startLiveServers } from "../servers/live-servers.js";
import { comparePolicy } from "./index.js";

const seed = 1;

test("10,000 questions about random roles and bindings have the same verdicts on a real server", {
  timeout: 300_000,
}, async () => {
  await using servers = await startLiveServers();
  let asked = 0;
  let allowed = 0;
  for (let round = 0; round < 20; round++) {
    const options = { seed: seed + round, prefix: `p${round}`, questions: 500 };
    const compared = await comparePolicy(servers.clients, options);
    expect(compared.differences.slice(0, 5).join("\n\n")).toBe("");
    asked += compared.questions;
    allowed += compared.allowed;
  }
  expect(asked).toBe(10_000);
  // Neither verdict is rare.
  expect(allowed / asked).toBeGreaterThan(0.1);
  expect(allowed / asked).toBeLessThan(0.9);
});

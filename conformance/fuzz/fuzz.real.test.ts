import { expect, test } from "vitest";
import { compareFuzz } from "../compare-live.js";
import { total } from "../live-report.js";
import { startLiveServers } from "../servers/live-servers.js";

// A fixed seed, so that a difference is reproducible. `npm run conformance` uses a new seed each time.
const seed = 1;

test("a thousand random requests have the same responses on a real server", { timeout: 300_000 }, async () => {
  await using servers = await startLiveServers();
  const { areas, unexplained } = await compareFuzz(servers.clients, { seed, requests: 1_000, kinds: 8 }, { shown: 20 });
  const { same } = total(areas);
  expect(unexplained.join("\n\n")).toBe("");
  expect(same).toBeGreaterThan(800);
});

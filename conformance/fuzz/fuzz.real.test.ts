import { expect, test } from "vitest";
import { compareFuzz } from "../compare-live.js";
import { total } from "../live-report.js";
import { startLiveServers } from "../servers/live-servers.js";

// Always the same: what it finds is there to be mended, not to be lucky about. `npm run conformance` draws anew each time.
const seed = 1;

test("a thousand random requests are answered as a real server answers them", { timeout: 300_000 }, async () => {
  await using servers = await startLiveServers();
  const { areas, unexplained } = await compareFuzz(servers.doors, { seed, requests: 1_000, kinds: 8 }, { shown: 20 });
  const { same } = total(areas);
  expect(unexplained.join("\n\n")).toBe("");
  expect(same).toBeGreaterThan(800);
});

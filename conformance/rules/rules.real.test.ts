import { expect, test } from "vitest";
import { compareSubjects } from "../compare-live.js";
import { total } from "../live-report.js";
import { startLiveServers } from "../servers/live-servers.js";
import { ruleCounts, rulesSubject } from "./index.js";

test("400 rules with 20 objects each have the same verdicts and messages on a real server", {
  timeout: 300_000,
}, async () => {
  expect(ruleCounts).toEqual({ rules: 400, objects: 20 });
  await using servers = await startLiveServers();
  const { areas, unexplained } = await compareSubjects(servers.clients, [rulesSubject]);
  expect(unexplained.join("\n\n")).toBe("");
  expect(total(areas).same).toBe(600);
});

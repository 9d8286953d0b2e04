import { expect, test } from "vitest";
import { subjects } from "./cases/index.js";
import { describeDifference, differences } from "./compare.js";
import { playReal, realPlayOptions } from "./real-server.js";
import { readRecording } from "./recording.js";

test("a real server still answers as it was recorded", { timeout: 300_000 }, async () => {
  const { kubernetes, played } = await playReal(subjects, realPlayOptions);
  const changed = played.flatMap(({ subject, one, seen }) => {
    const recording = readRecording(subject);
    expect(recording.kubernetes).toBe(kubernetes);
    const found = differences(recording.cases[one.name] ?? [], seen);
    return found.length === 0 ? [] : [`${one.name}\n${found.map(describeDifference).join("\n")}`];
  });
  expect(changed.join("\n")).toBe("");
});

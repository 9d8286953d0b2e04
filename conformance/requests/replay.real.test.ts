import { expect, test } from "vitest";
import { describeDifference, differences } from "../compare.js";
import { compared } from "../compared.js";
import { readSubject } from "../recording.js";
import { playReal, realPlayOptions } from "../servers/real-server.js";
import type { Subject } from "../test-case.js";
import { subjects } from "./index.js";

/** Differences between a real server and the recordings, by case name. */
async function changedResponses(played: readonly Subject[]): Promise<ReadonlyMap<string, string>> {
  const responses = await playReal(played, realPlayOptions);
  const changed = new Map<string, string>();
  for (const { subject, one, seen } of responses.played) {
    const recording = readSubject(subject);
    expect(recording.kubernetes).toBe(responses.kubernetes);
    const found = differences(compared(one, recording.cases[one.name] ?? []), compared(one, seen));
    if (found.length > 0) changed.set(one.name, `${one.name}\n${found.map(describeDifference).join("\n")}`);
  }
  return changed;
}

test("a real server still matches the recordings", { timeout: 300_000 }, async () => {
  let changed = await changedResponses(subjects);
  // Repeat the rest: a real server may read from a stale watch cache and then reports more errors.
  for (let attempt = 1; attempt <= 2 && changed.size > 0; attempt++) {
    const isChanged = ({ name }: { readonly name: string }): boolean => changed.has(name);
    changed = await changedResponses(
      subjects.map((subject) => ({ ...subject, cases: subject.cases.filter(isChanged) })),
    );
  }
  expect([...changed.values()].join("\n")).toBe("");
});

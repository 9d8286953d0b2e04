import { inParallel } from "../in-parallel.js";
import { normalise, type Seen } from "../normalise.js";
import { type Patience, runCase } from "../run-test-case.js";
import type { Door } from "../servers/door.js";
import type { Case, Subject } from "../test-case.js";

/** A case with what a server gave to it. */
export interface Played {
  readonly subject: Subject;
  readonly one: Case;
  readonly seen: readonly Seen[];
}

/** How cases are run. */
export interface PlayOptions extends Patience {
  /** How many at once: a real server is slow to take definitions in, and waits in parallel. */
  readonly atOnce: number;
}

/** Sends every case to a server. The result is in the order of the cases, however they overlapped. */
export async function playSubjects(
  door: Door,
  subjects: readonly Subject[],
  { atOnce, ...patience }: PlayOptions,
): Promise<Played[]> {
  const all = subjects.flatMap((subject) => subject.cases.map((one) => ({ subject, one })));
  const played: Played[] = new Array(all.length);
  await inParallel(atOnce, all.entries(), async ([index, { subject, one }]) => {
    const run = await runCase(door, one, patience);
    played[index] = { subject, one, seen: normalise(one, run, Date.now()) };
  });
  return played;
}

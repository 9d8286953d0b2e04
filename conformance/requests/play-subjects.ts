import { setImmediate as nextTurn } from "node:timers/promises";
import { inParallel } from "../in-parallel.js";
import { normalise, type Seen } from "../normalise.js";
import { runCase, type Timeouts } from "../run-test-case.js";
import type { ApiClient } from "../servers/api-client.js";
import type { Case, Subject } from "../test-case.js";

/** A case with the responses of a server. */
export interface Played {
  readonly subject: Subject;
  readonly one: Case;
  readonly seen: readonly Seen[];
}

/** Options for running cases. */
export interface PlayOptions extends Timeouts {
  /** A real server needs seconds to serve a CRD; cases wait for it in parallel. */
  readonly concurrency: number;
}

/** Sends every case to a server. Results are in the order of the cases. */
export async function playSubjects(
  client: ApiClient,
  subjects: readonly Subject[],
  { concurrency, ...timeouts }: PlayOptions,
): Promise<Played[]> {
  const all = subjects.flatMap((subject) => subject.cases.map((one) => ({ subject, one })));
  const played: Played[] = new Array(all.length);
  await inParallel(concurrency, all.entries(), async ([index, { subject, one }]) => {
    // In process a case runs without a turn of the event loop: hundreds in a row would let the time-outs of webhooks expire.
    await nextTurn();
    const run = await runCase(client, one, timeouts);
    played[index] = { subject, one, seen: normalise(one, run, Date.now()) };
  });
  return played;
}

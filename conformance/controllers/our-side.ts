import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { lookAt, type Side } from "./run-scenario.js";

/** Timers that are due sooner than this belong to the step: what a real control plane does before it is silent. */
const horizonMs = 1_000;

/** Turns of the event loop after which what was passed on has arrived. */
const turnsOfRest = 4;

const patienceMs = 20_000;

/** Starts the embedded cluster with its controllers and scheduler, without nodes, in virtual time. */
export async function startOurSide(): Promise<Side & AsyncDisposable> {
  const clock = new FakeClock();
  const options = { clock, workloads: { nodes: 0 } };
  const cluster = await startCluster(options);
  const { transport } = cluster;
  const { view, kubelet } = await lookAt(transport, clock);
  const rest = async (): Promise<void> => {
    const giveUpMs = performance.now() + patienceMs;
    for (let calm = 0; calm < turnsOfRest; ) {
      const before = cluster.revision + view.events;
      await new Promise((resolve) => setImmediate(resolve));
      const isCalm = cluster.idle && kubelet.idle && cluster.revision + view.events === before;
      calm = isCalm ? calm + 1 : 0;
      if (!isCalm && performance.now() > giveUpMs) throw new Error(`it did not settle within ${patienceMs / 1_000} s`);
    }
  };
  const advance = async (ms: number): Promise<void> => {
    await rest();
    const untilMs = clock.monotonic() + ms;
    for (let next = clock.nextTimerInMs; next !== undefined; next = clock.nextTimerInMs) {
      if (clock.monotonic() + next > untilMs) break;
      clock.advance(next);
      await rest();
    }
    clock.advance(untilMs - clock.monotonic());
    await rest();
  };
  return {
    transport,
    clock,
    view,
    kubelet,
    settle: () => advance(horizonMs),
    pass: (seconds) => advance(seconds * 1_000),
    async [Symbol.asyncDispose]() {
      await kubelet.close();
      await view.close();
      await cluster.close();
    },
  };
}

import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { observe, type Side } from "./run-scenario.js";

/** Timers due within this time belong to the step, as a real control plane fires them before it is quiet. */
const horizonMs = 1_000;

/** Idle turns of the event loop after which all watch events have been delivered. */
const idleTurns = 4;

const settleTimeoutMs = 20_000;

/** Starts the embedded cluster with its controllers and scheduler, without nodes, in virtual time. */
export async function startOurSide(): Promise<Side & AsyncDisposable> {
  const clock = new FakeClock();
  // As on the real side: a Pod may name a ServiceAccount that does not exist.
  const cluster = await startCluster({ clock, workloads: { nodes: 0 }, disableAdmissionPlugins: ["ServiceAccount"] });
  const { transport } = cluster;
  const { view, kubelet } = await observe(transport, clock);
  const rest = async (): Promise<void> => {
    const giveUpMs = performance.now() + settleTimeoutMs;
    for (let idle = 0; idle < idleTurns; ) {
      const before = cluster.revision + view.events;
      await new Promise((resolve) => setImmediate(resolve));
      const isIdle = cluster.idle && kubelet.idle && cluster.revision + view.events === before;
      idle = isIdle ? idle + 1 : 0;
      if (!isIdle && performance.now() > giveUpMs)
        throw new Error(`the cluster did not settle within ${settleTimeoutMs / 1_000} s`);
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

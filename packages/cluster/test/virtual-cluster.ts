import { FakeClock } from "@kubewright/core/clock";
import { type Client, createClient } from "kubewright";
import { type Cluster, startCluster, type WorkloadOptions } from "../src/index.js";

/** A cluster with workloads in virtual time, for one test. */
export interface VirtualCluster extends AsyncDisposable {
  readonly client: Client;
  readonly cluster: Cluster;
  readonly clock: FakeClock;
  /** Resolves when nothing is left to do at this moment. */
  rest(): Promise<void>;
  /** Moves time on, and comes to rest after each timer on the way. */
  advance(seconds: number): Promise<void>;
}

/** Starts one, and waits until it has come to rest. */
export async function startVirtualCluster(workloads: WorkloadOptions): Promise<VirtualCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, workloads });
  const rest = async (): Promise<void> => {
    for (let calm = 0; calm < 3; calm = cluster.idle ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const advance = async (seconds: number): Promise<void> => {
    await rest();
    const untilMs = clock.monotonic() + seconds * 1_000;
    for (let nextMs = clock.nextTimerInMs; nextMs !== undefined; nextMs = clock.nextTimerInMs) {
      if (clock.monotonic() + nextMs > untilMs) break;
      clock.advance(nextMs);
      await rest();
    }
    clock.advance(untilMs - clock.monotonic());
    await rest();
  };
  await rest();
  return {
    client: createClient(cluster.transport),
    cluster,
    clock,
    rest,
    advance,
    [Symbol.asyncDispose]: () => cluster.close(),
  };
}

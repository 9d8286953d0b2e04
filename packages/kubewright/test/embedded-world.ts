import { startCluster } from "@kubewright/cluster";
import { FakeClock } from "@kubewright/core/clock";
import { createClient } from "../src/client/index.js";

/** An embedded cluster in virtual time, with the options to start an operator in it. */
export async function startWorld() {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const settle = async (running: { readonly idle: boolean }): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = cluster.idle && running.idle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const options = { transport: cluster.transport, clock, random: () => 0.5 };
  return { clock, client, settle, options, [Symbol.asyncDispose]: () => cluster.close() };
}

import { startCluster } from "@kubewright/cluster";
import { greet } from "./greet.ts";
import { greeter } from "./greeter.ts";

async function main(): Promise<void> {
  const cluster = await startCluster();
  const running = await greeter.start({ transport: cluster.transport, installDefinitions: true });
  try {
    await greet(cluster);
  } finally {
    await running.stop();
    await cluster.close();
  }
}

void main();

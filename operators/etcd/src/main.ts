import { connect, select, startCache } from "kubewright";
import { PersistentVolumeClaim, Pod } from "kubewright/k8s/core/v1";
import { createEtcdOperator } from "./create-etcd-operator.js";
import type { EtcdMembers } from "./members/etcd-members.js";
import { GatewayMembers } from "./members/gateway-members.js";
import { etcdFlagsHelp, etcdOperatorFlags } from "./operator-flags.js";
import { ownImage } from "./own-image.js";
import { runProgram } from "./programs/run-program.js";
import { restorePort } from "./restore/restore-server.js";
import { type Place, SimulatedEtcd } from "./simulation/simulated-etcd.js";

const args = process.argv.slice(2);
const exitCode = await runProgram(args, {
  etcd: new GatewayMembers(),
  environment: process.env,
  signal: new AbortController().signal,
});
if (exitCode !== undefined) process.exit(exitCode);
if (args.some((arg) => ["-h", "-help", "--help"].includes(arg))) process.stdout.write(etcdFlagsHelp);
const flags = etcdOperatorFlags(args, process.env);
const { etcd, close } = flags.simulatesMembers ? await simulatedMembers() : realMembers();
const { pod } = flags;
const operator = createEtcdOperator({
  etcd,
  ...flags.operator,
  restorePort,
  ...(pod && { pod, image: ownImage(pod) }),
  // Simulated members fetch in this process.
  ...(flags.simulatesMembers && { restoreServerUrl: `http://127.0.0.1:${restorePort}` }),
});
try {
  await operator.runFromArgs(flags.run);
} finally {
  // Open connections would keep the process.
  await close();
}

interface Members {
  readonly etcd: EtcdMembers;
  close(): Promise<void>;
}

function realMembers(): Members {
  const etcd = new GatewayMembers();
  return { etcd, close: () => etcd[Symbol.asyncDispose]() };
}

async function simulatedMembers(): Promise<Members> {
  process.stderr.write("No etcd runs: members are simulated, and their data is in the memory of this process\n");
  const { kubeconfig } = flags;
  const client = await connect({ ...(kubeconfig !== undefined && { kubeconfig }) });
  const labels = { app: "etcd" };
  // Each call to a member looks at its Pods: from a cache, as a real call would not ask the API server either.
  const cache = await startCache(client, {
    kinds: [select(Pod, { labels }), select(PersistentVolumeClaim, { labels })],
    ...(flags.run.namespace !== undefined && { namespace: flags.run.namespace }),
  });
  const etcd = new SimulatedEtcd();
  const selected = ({ namespace, cluster }: Place) => ({ namespace, labels: { etcd_cluster: cluster } });
  const nodes = {
    client,
    pods: (place: Place) => cache.list(Pod, selected(place)),
    volumeClaims: (place: Place) => cache.list(PersistentVolumeClaim, selected(place)),
  };
  etcd.connect(nodes, Date.now);
  const close = async (): Promise<void> => {
    await cache.stop();
    await client.close();
  };
  return { etcd, close };
}

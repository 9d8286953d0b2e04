import { connect } from "kubewright";
import { createEtcdOperator } from "./create-etcd-operator.js";
import { GatewayMembers } from "./members/gateway-members.js";
import { etcdFlagsHelp, etcdOperatorFlags } from "./operator-flags.js";
import { ownImage } from "./own-image.js";
import { runProgram } from "./programs/run-program.js";
import { restorePort } from "./restore/restore-server.js";
import { SimulatedEtcd } from "./simulation/simulated-etcd.js";

const args = process.argv.slice(2);
const exitCode = await runProgram(args, {
  etcd: new GatewayMembers(),
  environment: process.env,
  signal: new AbortController().signal,
});
if (exitCode !== undefined) process.exit(exitCode);
if (args.some((arg) => ["-h", "-help", "--help"].includes(arg))) process.stdout.write(etcdFlagsHelp);
const flags = etcdOperatorFlags(args, process.env);
const etcd = flags.simulatesMembers ? await simulatedMembers() : new GatewayMembers();
const { pod } = flags;
const operator = createEtcdOperator({
  etcd,
  ...flags.operator,
  restorePort,
  ...(pod && { pod, image: ownImage(pod) }),
  // Simulated members fetch in this process.
  ...(flags.simulatesMembers && { restoreServerUrl: `http://127.0.0.1:${restorePort}` }),
});
await operator.runFromArgs(flags.run);

async function simulatedMembers(): Promise<SimulatedEtcd> {
  process.stderr.write("No etcd runs: members are simulated, and their data is in the memory of this process\n");
  const kubeconfig = flags.run.args?.find((arg) => arg.startsWith("--kubeconfig="))?.slice("--kubeconfig=".length);
  const simulated = new SimulatedEtcd();
  simulated.connect(await connect({ ...(kubeconfig !== undefined && { kubeconfig }) }), Date.now);
  return simulated;
}

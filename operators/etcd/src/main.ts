import { connect } from "kubewright";
import { createEtcdOperator } from "./create-etcd-operator.js";
import { GatewayMembers } from "./members/gateway-members.js";
import { etcdFlagsHelp, etcdOperatorFlags } from "./operator-flags.js";
import { SimulatedEtcd } from "./simulation/simulated-etcd.js";

const args = process.argv.slice(2);
if (args.some((arg) => ["-h", "-help", "--help"].includes(arg))) process.stdout.write(etcdFlagsHelp);
const flags = etcdOperatorFlags(args, process.env);
const etcd = flags.simulatesMembers ? await simulatedMembers() : new GatewayMembers();
await createEtcdOperator({ etcd, ...flags.operator }).runFromArgs(flags.run);

async function simulatedMembers(): Promise<SimulatedEtcd> {
  process.stderr.write("No etcd runs: members are simulated, and their data is in the memory of this process\n");
  const kubeconfig = flags.run.args?.find((arg) => arg.startsWith("--kubeconfig="))?.slice("--kubeconfig=".length);
  const simulated = new SimulatedEtcd();
  simulated.connect(await connect({ ...(kubeconfig !== undefined && { kubeconfig }) }), Date.now);
  return simulated;
}

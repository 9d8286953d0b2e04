import { parseArgs } from "node:util";
import type { LogLevel } from "kubewright";
import { fooOperator } from "./index.js";

const help = `The Foo operator: reconciles one Deployment per Foo.

  --kubeconfig FILE        kubeconfig file (default: KUBECONFIG, the Pod's ServiceAccount, ~/.kube/config)
  --master URL             URL of the API server; overrides the kubeconfig
  --install-crds           install the CRD on start
  --health-address ADDR    address of /healthz and /readyz, such as :8081
  --metrics-address ADDR   address of /metrics, such as :8080
  --leader-elect           enable leader election: one replica is active at a time
  --log-level LEVEL        debug, info, warn or error (default: info)
`;

const { values } = parseArgs({
  options: {
    kubeconfig: { type: "string" },
    master: { type: "string" },
    "install-crds": { type: "boolean", default: false },
    "health-address": { type: "string" },
    "metrics-address": { type: "string" },
    "leader-elect": { type: "boolean", default: false },
    "log-level": { type: "string", default: "info" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) process.stdout.write(help);
else {
  await fooOperator.run({
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.master !== undefined && { server: values.master }),
    ...(values["health-address"] !== undefined && { healthAddress: values["health-address"] }),
    ...(values["metrics-address"] !== undefined && { metricsAddress: values["metrics-address"] }),
    installCRDs: values["install-crds"],
    leaderElection: values["leader-elect"],
    logLevel: values["log-level"] as LogLevel, // run() rejects an unknown level
  });
}

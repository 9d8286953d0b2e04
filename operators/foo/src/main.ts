import { parseArgs } from "node:util";
import type { LogLevel } from "kubewright";
import { fooOperator } from "./index.js";

const help = `The Foo operator: keeps one Deployment per Foo.

  --kubeconfig FILE        the cluster to work on (default: KUBECONFIG, the pod's service account, ~/.kube/config)
  --master URL             the address of the API server, instead of the kubeconfig's
  --install-crds    install the definition of Foo first
  --health-address ADDR    serve /healthz and /readyz, for instance on :8081
  --metrics-address ADDR   serve /metrics, for instance on :8080
  --leader-elect           of several replicas only one works at a time
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
    logLevel: values["log-level"] as LogLevel, // an unknown one is refused by name
  });
}

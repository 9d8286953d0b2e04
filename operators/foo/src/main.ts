import { parseArgs } from "node:util";
import type { LogLevel } from "kubewright";
import { fooOperator } from "./index.js";

const help = `The Foo operator: reconciles one Deployment per Foo.

  --kubeconfig FILE        kubeconfig file (default: KUBECONFIG, the Pod's ServiceAccount, ~/.kube/config)
  --master URL             URL of the API server; overrides the kubeconfig
  --install-crds           install the CRD on start, and migrate stored Foos
  --webhook-url URL        local development: URL of this process for the API server, such as https://127.0.0.1:9443;
                           installs the webhook configurations until the operator stops
  --webhook-address ADDR   address of the webhooks, such as :9443 (default: not served, except with --webhook-url)
  --webhook-cert-dir DIR   directory of tls.crt and tls.key
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
    "webhook-url": { type: "string" },
    "webhook-address": { type: "string" },
    "webhook-cert-dir": { type: "string" },
    "health-address": { type: "string" },
    "metrics-address": { type: "string" },
    "leader-elect": { type: "boolean", default: false },
    "log-level": { type: "string", default: "info" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) process.stdout.write(help);
else {
  const { "webhook-url": webhookUrl, "webhook-cert-dir": webhookCertDir } = values;
  await fooOperator.run({
    ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
    ...(values.master !== undefined && { server: values.master }),
    ...(values["health-address"] !== undefined && { healthAddress: values["health-address"] }),
    ...(values["metrics-address"] !== undefined && { metricsAddress: values["metrics-address"] }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(webhookCertDir !== undefined && { webhookCertDir }),
    webhookAddress: values["webhook-address"] ?? (webhookUrl === undefined ? false : ":9443"),
    installCRDs: values["install-crds"] ? { migrateStored: true } : false,
    leaderElection: values["leader-elect"],
    logLevel: values["log-level"] as LogLevel, // run() rejects an unknown level
  });
}

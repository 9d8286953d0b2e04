import type { Operator } from "kubewright";
import { type GeneratedFile, yamlFile } from "./generated-file.js";
import { metricsPort } from "./metrics-files.js";
import { convertsKinds, servesWebhooks } from "./webhook-files.js";

/** How operators are deployed. */
export interface ManagerOptions {
  readonly namespace: string;
  /** The operators watch their namespace only. */
  readonly namespaced: boolean;
  readonly leaderElection: boolean;
  /** Metrics are served. */
  readonly metrics: boolean;
  /** The container image. */
  readonly image: string;
  /** cert-manager issues the webhook certificates. */
  readonly certManager: boolean;
}

/** `manager/`: the Namespace, and a Deployment per operator with probes, resources and a restricted security context. */
export function managerFiles(operators: readonly Operator[], options: ManagerOptions): GeneratedFile[] {
  const { namespace } = options;
  return [
    // The namespace "default" exists in every cluster.
    ...(namespace === "default"
      ? []
      : [
          yamlFile("manager/namespace.yaml", {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: {
              name: namespace,
              labels: { "pod-security.kubernetes.io/enforce": "restricted" },
            },
          }),
        ]),
    ...operators.map((operator) =>
      yamlFile(
        operators.length === 1 ? "manager/manager.yaml" : `manager/${operator.name}.yaml`,
        deployment(operator, options),
      ),
    ),
  ];
}

function deployment(operator: Operator, options: ManagerOptions): object {
  const { name } = operator;
  const labels = { "app.kubernetes.io/name": name };
  const certificate = certificateVolume(operator, options);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: options.namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { annotations: { "kubectl.kubernetes.io/default-container": "manager" }, labels },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: 35,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [{ ...container(operator, options), ...(certificate && { volumeMounts: [certificate.mount] }) }],
          ...(certificate && { volumes: [certificate.volume] }),
        },
      },
    },
  };
}

function container(operator: Operator, { image, leaderElection, metrics, namespaced }: ManagerOptions): object {
  const probe = (path: string, initialDelaySeconds: number, periodSeconds: number): object => ({
    httpGet: { path, port: "health" },
    initialDelaySeconds,
    periodSeconds,
  });
  return {
    name: "manager",
    image,
    args: [
      ...(leaderElection ? ["--leader-elect"] : []),
      "--health-probe-bind-address=:8081",
      ...(metrics ? [`--metrics-bind-address=:${metricsPort}`] : []),
      // For local development an operator with conversions may be set to serve none of its webhooks.
      ...(convertsKinds(operator) ? ["--webhook-port=9443"] : []),
    ],
    ...(namespaced && {
      env: [{ name: "WATCH_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
    }),
    ports: [
      { name: "health", containerPort: 8081, protocol: "TCP" },
      ...(metrics ? [{ name: "metrics", containerPort: metricsPort, protocol: "TCP" }] : []),
      ...(servesWebhooks(operator) ? [{ name: "webhook", containerPort: 9443, protocol: "TCP" }] : []),
    ],
    livenessProbe: probe("/healthz", 15, 20),
    readinessProbe: probe("/readyz", 5, 10),
    // Node needs more memory than the 128 MiB that kubebuilder gives a Go program.
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "10m", memory: "96Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
  };
}

/** The Secret of cert-manager, where the webhook server looks for it. */
function certificateVolume(operator: Operator, { certManager }: ManagerOptions) {
  if (!certManager || !servesWebhooks(operator)) return undefined;
  const volume = "webhook-certs";
  return {
    volume: { name: volume, secret: { secretName: `${operator.name}-webhook-server-cert` } },
    mount: { name: volume, mountPath: "/tmp/k8s-webhook-server/serving-certs", readOnly: true },
  };
}

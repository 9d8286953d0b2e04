import type { Operator } from "kubewright";
import { deriveRules } from "kubewright/permissions";
import { type GeneratedFile, yamlFile } from "./generated-file.js";
import { clusterRoleFile, clusterRoleWithBinding } from "./role-files.js";
import { servesWebhooks } from "./webhook-files.js";

/** The port of `/metrics`, over HTTPS with authorization by RBAC, as in kubebuilder's manifests. */
export const metricsPort = 8443;

const selectorOf = ({ name }: Operator) => ({ "app.kubernetes.io/name": name });

/**
 * What the metrics of operators need: a Service, the RBAC rules with which the operator authorizes scrapers, and a role for scrapers. In `prometheus/` a
 * ServiceMonitor, and in `network-policy/` a NetworkPolicy, which are not applied by default.
 */
export function metricsFiles(operators: readonly Operator[], namespace: string): GeneratedFile[] {
  return operators.flatMap((operator) => {
    const { name } = operator;
    const isOnly = operators.length === 1;
    const roles = isOnly ? "rbac" : `rbac/${name}`;
    const file = (folder: string, only: string, of: string): string => `${folder}/${isOnly ? only : of}.yaml`;
    const selector = selectorOf(operator);
    return [
      yamlFile(file("manager", "metrics_service", `${name}-metrics-service`), {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: serviceName(operator), namespace, labels: selector },
        spec: { ports: [{ name: "https", port: metricsPort, protocol: "TCP", targetPort: metricsPort }], selector },
      }),
      ...clusterRoleWithBinding(
        `${roles}/metrics_auth_role`,
        `${name}-metrics-auth`,
        { name, namespace },
        deriveRules([], { secureMetrics: true }),
      ),
      clusterRoleFile(`${roles}/metrics_reader_role`, `${name}-metrics-reader`, [
        { nonResourceURLs: ["/metrics"], verbs: ["get"] },
      ]),
      yamlFile(
        file("prometheus", "monitor", name),
        {
          apiVersion: "monitoring.coreos.com/v1",
          kind: "ServiceMonitor",
          metadata: { name: serviceName(operator), namespace, labels: selector },
          spec: {
            endpoints: [
              {
                path: "/metrics",
                port: "https",
                scheme: "https",
                bearerTokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
                tlsConfig: { insecureSkipVerify: true },
              },
            ],
            selector: { matchLabels: selector },
          },
        },
        {
          comments: [
            "Not applied by config/default: the kind belongs to prometheus-operator.",
            `Prometheus' ServiceAccount needs the ClusterRole ${name}-metrics-reader. The certificate is self-signed unless --metrics-cert-path names another one.`,
          ],
        },
      ),
      yamlFile(
        file("network-policy", "allow-metrics-traffic", `${name}-allow-metrics-traffic`),
        {
          apiVersion: "networking.k8s.io/v1",
          kind: "NetworkPolicy",
          metadata: { name: `${name}-allow-metrics-traffic`, namespace },
          spec: {
            podSelector: { matchLabels: selector },
            policyTypes: ["Ingress"],
            ingress: [
              {
                from: [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
                ports: [{ port: metricsPort, protocol: "TCP" }],
              },
              // The API server calls webhooks from outside of any namespace.
              ...(servesWebhooks(operator) ? [{ ports: [{ port: 9443, protocol: "TCP" }] }] : []),
            ],
          },
        },
        {
          comments: [
            "Not applied by config/default. Only namespaces with the label metrics: enabled may scrape the operator, and its other ports are closed.",
          ],
        },
      ),
    ];
  });
}

function serviceName({ name }: Operator): string {
  return `${name}-metrics`;
}

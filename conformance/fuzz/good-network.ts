import type { JsonObject } from "@kubewright/core/json";
import { type GoodKind, goodKind } from "./good-kind.js";
import { goodConditions } from "./good-pod-template.js";

const target = { apiVersion: "v1", kind: "Pod", name: "p", namespace: "n", uid: "u" };
const backend = { service: { name: "s", port: { number: 80 } } };

function ingress(spec: JsonObject): JsonObject {
  return { spec };
}

/** How objects reach each other. */
export const goodNetwork: readonly GoodKind[] = [
  goodKind({
    version: "networking.k8s.io/v1",
    kind: "Ingress",
    plural: "ingresses",
    objects: [
      ingress({ defaultBackend: backend }),
      ingress({
        ingressClassName: "nginx",
        defaultBackend: { resource: { apiGroup: "example.com", kind: "Bucket", name: "b" } },
        tls: [{ hosts: ["a.example.com", "*.example.com"], secretName: "s" }],
        rules: [
          {
            host: "a.example.com",
            http: {
              paths: [
                { path: "/a", pathType: "Prefix", backend },
                { path: "/b", pathType: "Exact", backend: { service: { name: "s", port: { name: "http" } } } },
                { path: "", pathType: "ImplementationSpecific", backend },
              ],
            },
          },
          { host: "*.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } },
        ],
      }),
    ],
    statuses: [
      {
        loadBalancer: {
          ingress: [
            { ip: "192.0.2.1", ports: [{ port: 80, protocol: "TCP", error: "example.com/E" }] },
            { hostname: "h.example.com" },
          ],
        },
      },
    ],
  }),
  goodKind({
    version: "networking.k8s.io/v1",
    kind: "IngressClass",
    plural: "ingressclasses",
    clusterName: "{ns}-a",
    objects: [
      { spec: { controller: "example.com/c" } },
      {
        spec: {
          controller: "example.com/c",
          parameters: { apiGroup: "example.com", kind: "P", name: "p", scope: "Namespace", namespace: "n" },
        },
      },
    ],
  }),
  goodKind({
    version: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    seesEmpty: true,
    plural: "networkpolicies",
    objects: [
      { spec: { podSelector: {} } },
      {
        spec: {
          podSelector: { matchLabels: { app: "a" }, matchExpressions: [{ key: "k", operator: "Exists" }] },
          policyTypes: ["Ingress", "Egress"],
          ingress: [
            {
              ports: [
                { protocol: "TCP", port: 80, endPort: 90 },
                { protocol: "UDP", port: "dns" },
              ],
              from: [
                { podSelector: { matchLabels: { a: "b" } }, namespaceSelector: {} },
                { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } },
              ],
            },
          ],
          egress: [{ to: [{ namespaceSelector: { matchLabels: { a: "b" } } }], ports: [{ port: 53 }] }],
        },
      },
    ],
  }),
  goodKind({
    version: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    seesEmpty: true,
    plural: "endpointslices",
    objects: [
      {
        metadata: { labels: { "kubernetes.io/service-name": "s" } },
        addressType: "IPv4",
        endpoints: [
          {
            addresses: ["10.1.0.1"],
            conditions: { ready: true, serving: true, terminating: false },
            hostname: "h",
            nodeName: "n",
            zone: "z",
            targetRef: target,
            hints: { forZones: [{ name: "z" }], forNodes: [{ name: "n" }] },
            deprecatedTopology: { a: "b" },
          },
          { addresses: ["10.1.0.2", "10.1.0.3"] },
        ],
        ports: [
          { name: "http", port: 80, protocol: "TCP", appProtocol: "example.com/p" },
          { name: "dns", port: 53, protocol: "UDP" },
        ],
      },
      { addressType: "FQDN", endpoints: [{ addresses: ["a.example.com"] }], ports: [{ port: 80 }] },
      { addressType: "IPv6", endpoints: [{ addresses: ["2001:db8::1"] }] },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "Endpoints",
    plural: "endpoints",
    objects: [
      { subsets: [] },
      {
        subsets: [
          {
            addresses: [{ ip: "10.1.0.1", hostname: "h", nodeName: "n", targetRef: target }, { ip: "10.1.0.3" }],
            notReadyAddresses: [{ ip: "10.1.0.2" }],
            ports: [
              { name: "http", port: 80, protocol: "TCP", appProtocol: "http" },
              { name: "dns", port: 53, protocol: "UDP" },
            ],
          },
        ],
      },
    ],
  }),
  goodKind({
    version: "networking.k8s.io/v1",
    kind: "ServiceCIDR",
    isWatched: true,
    plural: "servicecidrs",
    clusterName: "{ns}-a",
    objects: [{ spec: { cidrs: ["10.77.0.0/24"] } }, { spec: { cidrs: ["10.78.0.0/24", "fd00:78::/64"] } }],
    statuses: [{ conditions: goodConditions }],
    isEffective: true,
  }),
];

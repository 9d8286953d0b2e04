import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, mergePatch, post, put, type RequestStep, remove, subject, wording } from "../test-case.js";
import { create, createSpec, patchSpec, patchStatus } from "./object-steps.js";
import { object, pods, services } from "./sample-objects.js";

const endpoints = "/api/v1/namespaces/{ns}/endpoints";
const nodes = "/api/v1/nodes";
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const ingresses = "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses";
const policies = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
const ranges = "/apis/networking.k8s.io/v1/servicecidrs";
const addresses = "/apis/networking.k8s.io/v1/ipaddresses";
const backend = { service: { name: "web", port: { number: 80 } } };
const outcome = { fields: ["kind", "message"] };
const verdict = { fields: ["message"] };
const shown = { fields: ["kind", "code", "reason", "message", "details", "spec", "status"] };

function service(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec };
}

const make = (name: string, spec: JsonObject): RequestStep => post(services, service(name, spec), shown);
const tryOut = (name: string, spec: JsonObject): RequestStep =>
  post(`${services}?dryRun=All`, service(name, spec), shown);
const change = (name: string, spec: JsonObject): RequestStep => patchSpec(`${services}/${name}`, spec, shown);
const replace = (name: string, spec: JsonObject): RequestStep => put(`${services}/${name}`, service(name, spec), shown);
const clear = remove(services, undefined, { fields: ["kind"] });

const balancedAt = (ip: string): JsonObject => ({ loadBalancer: { ingress: [{ ip }] } });

/** One port number in two protocols. */
function both(port: number, first: JsonObject = {}, second: JsonObject = {}): JsonValue {
  return [
    { name: `t${port}`, port, ...first },
    { name: `u${port}`, port, protocol: "UDP", ...second },
  ];
}

/** Two ports with one node port. */
function shared(nodePort: number, second: JsonObject = {}): JsonObject {
  const ports = [
    { name: "x", port: 80, nodePort },
    { name: "y", port: 81, nodePort, ...second },
  ];
  return { type: "NodePort", ports };
}

/** Edge cases of Services: how IP families, cluster IPs and node ports depend on each other. */
export const serviceKinds = subject("kinds-services", {
  "a Service that becomes SingleStack drops its secondary IP family": [
    make("a", { clusterIP: "None" }),
    apply(
      `${services}/a?fieldManager=two&dryRun=All`,
      service("a", { ports: [{ port: 0 }], ipFamilies: ["IPv6"] }),
      shown,
    ),
    change("a", { ipFamilies: ["IPv4"] }),
    change("a", { ipFamilies: ["IPv4"], ipFamilyPolicy: "PreferDualStack" }),
    change("a", { ipFamilies: [], ports: [{ port: 80 }] }),
    change("a", { ipFamilies: ["IPv6", "IPv4"] }),
    change("a", { ipFamilyPolicy: "SingleStack" }),
    change("a", { ipFamilies: ["IPv4", "IPv6"] }),
    change("a", { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" }),
    change("a", { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }),
    change("a", { selector: { app: "a" } }),
    change("a", { ipFamilyPolicy: "RequireDualStack" }),
    clear,
  ],
  "ports with the same number share a node port": [
    make("a", { type: "NodePort", ports: both(80, { nodePort: 30030 }) }),
    make("b", { type: "NodePort", ports: both(80, {}, { nodePort: 30031 }) }),
    make("c", { type: "NodePort", ports: both(80, { nodePort: 30032 }, { nodePort: 30033 }) }),
    tryOut("d", { type: "NodePort", ports: both(80) }),
    tryOut("d", { type: "LoadBalancer", ports: both(80), externalTrafficPolicy: "Local" }),
    tryOut("d", { type: "LoadBalancer", ports: both(80), allocateLoadBalancerNodePorts: false }),
    tryOut("d", {
      type: "LoadBalancer",
      ports: both(80, {}, { nodePort: 30034 }),
      allocateLoadBalancerNodePorts: false,
    }),
    tryOut("d", shared(30034, { protocol: "UDP" })),
    make("d", shared(30034, { protocol: "UDP" })),
    tryOut("d", { type: "NodePort", ports: both(80, { nodePort: 30030 }) }),
    clear,
  ],
  "node ports of a Service that changes are allocated and checked": wording(
    make("a", { type: "NodePort", ports: both(80, { nodePort: 30040 }) }),
    replace("a", { type: "NodePort", ports: both(80) }),
    replace("a", shared(30040)),
    replace("a", shared(30042)),
    make("b", { type: "NodePort", ports: [{ port: 80, nodePort: 30043 }] }),
    replace("b", { type: "NodePort", ports: [{ port: 80 }, { port: 81 }] }),
    replace("b", { type: "NodePort", ports: [{ port: 80, nodePort: 30040 }] }),
    change("b", { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30044 }),
    change("b", { healthCheckNodePort: 30045 }),
    change("b", { ports: [{ port: 80, nodePort: 30044 }] }),
    change("b", { externalTrafficPolicy: "Cluster", healthCheckNodePort: 0 }),
    change("b", { externalTrafficPolicy: "Local", healthCheckNodePort: 30040 }),
    change("b", { externalTrafficPolicy: "Local", healthCheckNodePort: 1 }),
    make("c", {
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      healthCheckNodePort: 30043,
      ports: [{ port: 80, nodePort: 30046 }],
    }),
    clear,
  ),
  "ambiguous IP addresses are rejected, non-canonical ones are accepted with a warning": [
    make("a", {
      type: "LoadBalancer",
      ports: [{ port: 80, nodePort: 30050 }],
      externalIPs: ["192.000.002.001", "::ffff:192.0.2.1", "2001:DB8::0:1", "192.0.2.1", "fe80::1%eth0"],
      loadBalancerIP: "192.0.02.7",
      loadBalancerSourceRanges: ["10.0.0.1/8", "010.0.0.0/8", "10.0.0.0/08", "2001:DB8::1/64", "::ffff:10.0.0.0/104"],
    }),
    make("a", {
      type: "LoadBalancer",
      ports: [{ port: 80, nodePort: 30050 }],
      externalIPs: ["2001:DB8::0:1", "192.0.2.1"],
      loadBalancerIP: "2001:0db8::1",
      loadBalancerSourceRanges: ["2001:DB8::/64", "0::0/0", "::/0", "10.0.0.0/8"],
    }),
    mergePatch(`${services}/a`, { metadata: { labels: { a: "b" } } }, shown),
    ...["192.0.02.7", "::ffff:192.0.2.1", "2001:0db8::7"].map((ip) =>
      patchStatus(`${services}/a`, balancedAt(ip), shown),
    ),
    make("b", { ports: [{ port: 80 }], clusterIP: "10.0.0.014" }),
    clear,
    createSpec(ingresses, "a", { defaultBackend: backend }, shown),
    ...["192.0.02.7", "2001:0db8::7"].map((ip) => patchStatus(`${ingresses}/a`, balancedAt(ip), shown)),
    ...["127.0.00.1", "::0:1"].map((ip) =>
      createSpec(
        pods,
        "a",
        {
          containers: [{ name: "a", image: "b" }],
          dnsPolicy: "None",
          dnsConfig: { nameservers: [ip] },
          hostAliases: [{ ip, hostnames: ["a"] }],
        },
        outcome,
      ),
    ),
    ...["10.0.0.01", "2001:DB8::1"].map((ip) =>
      patchStatus(`${pods}/a`, { podIP: ip, podIPs: [{ ip }], hostIP: ip, hostIPs: [{ ip }] }, outcome),
    ),
    ...["10.0.0.01", "2001:DB8::1", "x"].flatMap((ip) => [
      create(endpoints, "a", { subsets: [{ addresses: [{ ip }], notReadyAddresses: [{ ip }], ports: [{ port: 1 }] }] }),
      post(endpoints, {
        metadata: { name: "b", labels: { "endpoints.kubernetes.io/managed-by": "endpoint-controller" } },
        subsets: [{ addresses: [{ ip }], ports: [{ port: 1 }] }],
      }),
      ...["IPv4", "IPv6"].map((addressType) => create(slices, "a", { addressType, endpoints: [{ addresses: [ip] }] })),
    ]),
    mergePatch(`${endpoints}/a`, { metadata: { labels: { a: "b" } } }),
    ...["10.0.0.1/8", "010.1.0.0/16", "2001:DB8::/64", "::ffff:10.0.0.0/104"].flatMap((cidr) => [
      createSpec(policies, "a", {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr, except: [cidr] } }] }],
        egress: [{ to: [{ podSelector: {} }, { ipBlock: { cidr } }] }],
      }),
      createSpec(
        `${policies}?dryRun=All`,
        "b",
        { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr } }] }] },
        outcome,
      ),
      createSpec(`${nodes}?dryRun=All`, "{ns}", { podCIDRs: [cidr], externalID: "x" }, outcome),
      createSpec(`${ranges}?dryRun=All`, "{ns}", { cidrs: [cidr] }, verdict),
    ]),
    ...["10.0.0.01", "2001:DB8::1", "::ffff:10.0.0.1"].map((name) =>
      createSpec(`${addresses}?dryRun=All`, name, { parentRef: { resource: "services", name: "a" } }, verdict),
    ),
  ],
  "a Service created through its status subresource has no IP families until it changes": [
    apply(`${services}/a/status?fieldManager=x`, object("v1", "Service", "a", { spec: { ports: [{ port: 443 }] } })),
    ...["PreferDualStack", "SingleStack"].map((ipFamilyPolicy) =>
      apply(`${services}/a?fieldManager=x`, { apiVersion: "v1", kind: "Service", spec: { ipFamilyPolicy } }),
    ),
  ],
});

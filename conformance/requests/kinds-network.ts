import type { JsonObject, JsonValue } from "@kubewright/core/json";
import {
  apply,
  get,
  mergePatch,
  post,
  put,
  remove,
  type Subject,
  strategicPatch,
  testCase,
  wordingCase,
} from "../test-case.js";

const services = "/api/v1/namespaces/{ns}/services";
const endpoints = "/api/v1/namespaces/{ns}/endpoints";
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const networking = "/apis/networking.k8s.io/v1";
const ingresses = `${networking}/namespaces/{ns}/ingresses`;
const policies = `${networking}/namespaces/{ns}/networkpolicies`;
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

function service(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec };
}

const web: JsonObject = { ports: [{ port: 80 }], selector: { app: "web" } };
const backend: JsonObject = { service: { name: "web", port: { number: 80 } } };

/** An Ingress for all names below one. */
function anyName(name: string, path: JsonObject): JsonObject {
  const http = { paths: [{ pathType: "Prefix", ...path }] };
  return ingress(name, { rules: [{ host: "*.example.com", http }] });
}

function ingress(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec };
}

function slice(name: string, rest: JsonObject): JsonObject {
  return { metadata: { name, labels: { "kubernetes.io/service-name": "web" } }, ...rest };
}

function paths(...list: JsonValue[]): JsonObject {
  return { rules: [{ host: "foo.example.com", http: { paths: list } }] };
}

/** Services and what leads traffic: defaults, rules, allocation, tables. */
export const networkKinds: Subject = {
  name: "kinds-network",
  cases: [
    wordingCase(
      "a Service gets its defaults and an address",
      post(services, service("web", web)),
      get(`${services}/web`),
      get(services, table),
      mergePatch(`${services}/web`, { metadata: { labels: { a: "b" } } }),
      put(`${services}/web`, service("web", { ports: [{ port: 81, targetPort: "http" }], selector: { app: "web" } })),
      mergePatch(`${services}/web`, { spec: { clusterIP: "10.0.0.7" } }),
      mergePatch(`${services}/web`, { spec: { clusterIP: null, clusterIPs: null } }),
      mergePatch(`${services}/web`, { spec: { ipFamilies: ["IPv6"] } }),
      get(`${services}?fieldSelector=spec.type%3DClusterIP`, { fields: ["kind"] }),
      remove(`${services}/web`),
    ),
    testCase(
      "a Service of type NodePort gets ports of the nodes",
      post(services, service("web", { ...web, type: "NodePort" })),
      post(services, service("chosen", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] })),
      post(services, service("again", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] })),
      post(services, service("out", { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] })),
      get(services, table),
      strategicPatch(`${services}/chosen`, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }),
      put(`${services}/chosen`, service("chosen", { type: "NodePort", ports: [{ port: 80 }] })),
      mergePatch(`${services}/chosen`, { spec: { type: "ClusterIP" } }),
      post(services, service("again", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] })),
    ),
    wordingCase(
      "a Service of type LoadBalancer has a status of its own",
      post(services, service("lb", { ...web, type: "LoadBalancer", externalTrafficPolicy: "Local" })),
      get(services, table),
      mergePatch(`${services}/lb/status`, { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }),
      mergePatch(`${services}/lb/status`, {
        status: { loadBalancer: { ingress: [{ ip: "nonsense" }, { hostname: "1.2.3.4" }, { hostname: "A_" }] } },
      }),
      get(services, table),
      mergePatch(`${services}/lb`, { spec: { loadBalancerClass: "example.com/a" } }),
      mergePatch(`${services}/lb`, { spec: { type: "ClusterIP" } }),
      mergePatch(`${services}/lb/status`, { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }),
      post(
        services,
        service("quiet", {
          ...web,
          type: "LoadBalancer",
          allocateLoadBalancerNodePorts: false,
          loadBalancerClass: "example.com/a",
          loadBalancerIP: "1.2.3.4",
          loadBalancerSourceRanges: ["10.0.0.0/8"],
        }),
      ),
    ),
    wordingCase(
      "headless Services and names of others have no address",
      post(services, service("headless", { ...web, clusterIP: "None" })),
      post(services, service("bare", { clusterIP: "None" })),
      post(services, service("name", { type: "ExternalName", externalName: "example.com" })),
      post(services, service("no-name", { type: "ExternalName" })),
      post(services, service("ip-name", { type: "ExternalName", externalName: "example.com", clusterIP: "10.0.0.9" })),
      get(services, table),
      mergePatch(`${services}/name`, { spec: { type: "ClusterIP", ports: [{ port: 80 }] } }),
      mergePatch(`${services}/name`, { spec: { type: "ExternalName" } }),
      mergePatch(`${services}/headless`, { spec: { clusterIP: "10.0.0.8" } }),
      post(services, service("headless-port", { type: "NodePort", clusterIP: "None", ports: [{ port: 80 }] })),
    ),
    testCase(
      "the address of a Service can be chosen",
      post(services, service("chosen", { ...web, clusterIP: "10.0.0.5" })),
      post(services, service("again", { ...web, clusterIP: "10.0.0.5" })),
      post(services, service("out", { ...web, clusterIP: "10.9.0.5" })),
      post(services, service("six", { ...web, clusterIP: "fd00::5" })),
      post(services, service("text", { ...web, clusterIP: "nonsense" })),
      post(services, service("two", { ...web, clusterIPs: ["10.0.0.6", "10.0.0.7"], clusterIP: "10.0.0.6" })),
      post(services, service("differ", { ...web, clusterIPs: ["10.0.0.6"], clusterIP: "10.0.0.7" })),
      post(services, service("dual", { ...web, ipFamilyPolicy: "RequireDualStack" })),
      post(services, service("prefer", { ...web, ipFamilyPolicy: "PreferDualStack", clusterIP: "10.0.0.11" })),
      post(services, service("family", { ...web, ipFamilies: ["IPv6"] })),
      post(services, service("families", { ...web, ipFamilies: ["IPv4", "IPv4", "IPv5"], ipFamilyPolicy: "Some" })),
      remove(`${services}/chosen`),
      post(services, service("again", { ...web, clusterIP: "10.0.0.5" })),
    ),
    testCase(
      "a Service is checked",
      post(services, service("1bad", web)),
      post(services, service("a", {})),
      post(services, service("a", { ports: [{}] })),
      post(services, service("a", { ports: [{ port: 80 }, { port: 80 }] })),
      post(
        services,
        service("a", {
          ports: [
            { name: "a", port: 80 },
            { name: "a", port: 80, protocol: "TCP" },
            { name: "B_", port: 70000, protocol: "ICMP", targetPort: 0, appProtocol: "a b" },
            { name: "c", port: 81, targetPort: "Too_Long-and-strange", nodePort: 30011 },
          ],
        }),
      ),
      post(
        services,
        service("a", {
          ...web,
          type: "Other",
          sessionAffinity: "Some",
          selector: { "a b": "c d" },
          externalIPs: ["nonsense", "127.0.0.1"],
          internalTrafficPolicy: "Some",
          externalTrafficPolicy: "Some",
          healthCheckNodePort: 5,
          loadBalancerClass: "x",
          loadBalancerSourceRanges: ["10.0.0.0"],
          allocateLoadBalancerNodePorts: true,
          trafficDistribution: "Some",
        }),
      ),
      post(services, service("a", { ...web, sessionAffinity: "ClientIP" })),
      post(
        services,
        service("b", {
          ...web,
          sessionAffinity: "ClientIP",
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 100000 } },
        }),
      ),
      post(services, service("c", { ...web, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } })),
      post(services, {
        metadata: { name: "d", annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } },
        spec: { ...web, externalIPs: ["1.2.3.4"], externalName: "x", trafficDistribution: "PreferClose" },
      }),
      post(
        services,
        service("e", { ...web, clusterIP: "None", sessionAffinity: "ClientIP", externalIPs: ["1.2.3.4"] }),
      ),
      get(services, table),
    ),
    wordingCase(
      "Endpoints are stored with a warning",
      post(endpoints, {
        metadata: { name: "e" },
        subsets: [
          {
            addresses: [{ ip: "10.1.0.2" }, { ip: "10.1.0.1", nodeName: "n", hostname: "h" }],
            notReadyAddresses: [{ ip: "10.1.0.3" }],
            ports: [
              { name: "b", port: 81 },
              { name: "a", port: 80 },
            ],
          },
        ],
      }),
      get(endpoints, table),
      post(endpoints, { metadata: { name: "empty" } }),
      post(endpoints, {
        metadata: { name: "bad" },
        subsets: [
          { ports: [{ port: 80 }, { port: 80 }] },
          { addresses: [{ ip: "nonsense", hostname: "A_" }, { ip: "127.0.0.1" }, { ip: "" }], ports: [{ port: 0 }] },
          { addresses: [{ ip: "169.254.1.1", nodeName: "A_" }], ports: [{ port: 80, protocol: "X", name: "A_" }] },
        ],
      }),
      put(`${endpoints}/made`, { metadata: { name: "made" }, subsets: [{ addresses: [{ ip: "10.1.0.1" }] }] }),
      mergePatch(`${endpoints}/empty`, { metadata: { labels: { a: "b" } } }),
      remove(`${endpoints}/empty`),
    ),
    wordingCase(
      "an EndpointSlice gets its defaults, and is checked",
      post(
        slices,
        slice("a", { addressType: "IPv4", endpoints: [{ addresses: ["10.1.0.1"] }], ports: [{ port: 80 }] }),
      ),
      get(slices, table),
      post(
        slices,
        slice("full", {
          addressType: "IPv4",
          endpoints: [
            {
              addresses: ["10.1.0.1"],
              conditions: { ready: true, serving: true, terminating: false },
              hostname: "h",
              nodeName: "n",
              zone: "z",
              targetRef: { kind: "Pod", name: "p", namespace: "{ns}" },
              hints: { forZones: [{ name: "z" }] },
            },
          ],
          ports: [{ name: "http", port: 80, protocol: "UDP", appProtocol: "example.com/x" }],
        }),
      ),
      post(slices, slice("none", { addressType: "Other", endpoints: [] })),
      post(slices, slice("six", { addressType: "IPv6", endpoints: [{ addresses: ["10.1.0.1"] }, { addresses: [] }] })),
      post(
        slices,
        slice("bad", {
          addressType: "IPv4",
          endpoints: [{ addresses: ["127.0.0.1", "10.1.0.300"], hostname: "A_", nodeName: "A_" }],
          ports: [
            { name: "x", port: 80 },
            { name: "x", port: 81 },
            { name: "Y_", port: 0, protocol: "X", appProtocol: "a b" },
          ],
        }),
      ),
      post(slices, slice("name", { addressType: "FQDN", endpoints: [{ addresses: ["example.com", "A_"] }] })),
      mergePatch(`${slices}/a`, { addressType: "IPv6", endpoints: [{ addresses: ["fd00::1"] }] }),
      mergePatch(`${slices}/a`, { metadata: { labels: { x: "y" } } }),
      mergePatch(`${slices}/a`, { endpoints: [{ addresses: ["10.1.0.9"] }] }),
      post(slices, { metadata: { name: "no-ports" }, addressType: "IPv4", endpoints: null }),
      get(slices, table),
    ),
    testCase(
      "an Ingress for any name below a host may keep wrong paths",
      ...["1", "web"].flatMap((name) => [
        post(ingresses, anyName(name, { path: "/a", backend: { service: { name, port: { number: 80 } } } })),
        put(`${ingresses}/${name}`, anyName(name, {})),
        post(`${ingresses}?dryRun=All`, anyName(`${name}-new`, {})),
      ]),
    ),
    wordingCase(
      "an Ingress is checked",
      post(ingresses, ingress("a", { defaultBackend: backend })),
      post(ingresses, ingress("b", paths({ path: "/", pathType: "Prefix", backend }))),
      post(
        ingresses,
        ingress("full", {
          ingressClassName: "nginx",
          tls: [{ hosts: ["foo.example.com", "*.example.com"], secretName: "s" }],
          rules: [
            { host: "*.example.com", http: { paths: [{ path: "/a", pathType: "Exact", backend }] } },
            { http: { paths: [{ pathType: "ImplementationSpecific", backend: named("http") }] } },
          ],
        }),
      ),
      get(ingresses, table),
      post(ingresses, ingress("bad", {})),
      post(ingresses, ingress("bad", paths({ path: "/", backend }))),
      post(
        ingresses,
        ingress("bad", paths({ path: "x", pathType: "Prefix", backend }, { pathType: "Some", backend: {} })),
      ),
      post(ingresses, ingress("bad", paths({ path: "/a//b/../c", pathType: "Exact", backend }))),
      post(ingresses, ingress("bad", { rules: [{ host: "1.2.3.4" }, { host: "A_" }, { host: "*.A_", http: {} }] })),
      post(
        ingresses,
        ingress("bad", {
          ingressClassName: "A_",
          tls: [{ hosts: ["A_"], secretName: "B_" }],
          defaultBackend: { service: { name: "A_", port: { number: 0 } } },
        }),
      ),
      post(
        ingresses,
        ingress("bad", {
          defaultBackend: {
            service: { name: "a", port: { number: 80, name: "x" } },
            resource: { kind: "K", name: "n" },
          },
        }),
      ),
      post(ingresses, ingress("bad", { defaultBackend: { service: { name: "a", port: { name: "Too_Long" } } } })),
      post(ingresses, {
        metadata: { name: "old", annotations: { "kubernetes.io/ingress.class": "x" } },
        spec: { ingressClassName: "y", defaultBackend: backend },
      }),
      mergePatch(`${ingresses}/a/status`, {
        status: { loadBalancer: { ingress: [{ ip: "1.2.3.4", ports: [{ port: 80, protocol: "TCP" }] }] } },
      }),
      mergePatch(`${ingresses}/a/status`, {
        status: { loadBalancer: { ingress: [{ ip: "x" }, { hostname: "1.2.3.4" }] } },
      }),
      get(ingresses, table),
      mergePatch(`${ingresses}/a`, { spec: { ingressClassName: "other" } }),
    ),
    wordingCase(
      "an IngressClass is checked, and its controller does not change",
      post(`${networking}/ingressclasses`, { metadata: { name: "{ns}" }, spec: { controller: "example.com/x" } }),
      post(`${networking}/ingressclasses`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${networking}/ingressclasses`, { metadata: { name: "{ns}-b" }, spec: { controller: "nonsense" } }),
      post(`${networking}/ingressclasses`, {
        metadata: { name: "{ns}-b" },
        spec: { controller: "a.b/c", parameters: { apiGroup: "A_", kind: "", name: "", scope: "Some" } },
      }),
      post(`${networking}/ingressclasses`, {
        metadata: { name: "{ns}-c" },
        spec: { controller: "a.b/c", parameters: { apiGroup: "a.b", kind: "K", name: "n" } },
      }),
      post(`${networking}/ingressclasses`, {
        metadata: { name: "{ns}-d" },
        spec: { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace" } },
      }),
      get(`${networking}/ingressclasses/{ns}`, table),
      get(`${networking}/ingressclasses/{ns}-c`, table),
      mergePatch(`${networking}/ingressclasses/{ns}`, { spec: { controller: "example.com/y" } }),
    ),
    testCase(
      "a NetworkPolicy gets its defaults, and is checked",
      post(policies, { metadata: { name: "a" }, spec: { podSelector: {} } }),
      post(policies, { metadata: { name: "none" } }),
      post(policies, {
        metadata: { name: "full" },
        spec: {
          podSelector: { matchLabels: { app: "web" } },
          ingress: [
            {
              from: [
                { podSelector: { matchLabels: { a: "b" } }, namespaceSelector: {} },
                { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } },
              ],
              ports: [{ port: 80 }, { port: "http", protocol: "UDP" }, { port: 90, endPort: 95 }],
            },
          ],
          egress: [{ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }] }],
        },
      }),
      get(policies, table),
      post(policies, { metadata: { name: "bad" }, spec: { podSelector: { matchLabels: { "a b": "c" } } } }),
      post(policies, {
        metadata: { name: "bad" },
        spec: {
          podSelector: {},
          policyTypes: ["Ingress", "Other", "Egress"],
          ingress: [{ from: [{}, { ipBlock: { cidr: "x" }, podSelector: {} }], ports: [{ port: 0, protocol: "X" }] }],
        },
      }),
      post(policies, {
        metadata: { name: "bad" },
        spec: {
          podSelector: {},
          ingress: [
            {
              from: [
                { ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/8", "10.0.0.0/8"] } },
                { ipBlock: { cidr: "" } },
              ],
              ports: [{ endPort: 80 }, { port: "http", endPort: 80 }, { port: 80, endPort: 70 }, { port: "Too_Long" }],
            },
          ],
        },
      }),
      mergePatch(`${policies}/a`, { spec: { policyTypes: ["Egress", "Ingress"] } }),
    ),
    testCase(
      "addresses and ranges of Services are objects",
      get(`${networking}/servicecidrs/kubernetes`, { fields: ["apiVersion", "kind", "spec"] }),
      post(`${networking}/servicecidrs`, { metadata: { name: "{ns}" }, spec: { cidrs: ["fd00:77::/112"] } }),
      post(`${networking}/servicecidrs`, { metadata: { name: "{ns}-b" }, spec: {} }),
      post(`${networking}/servicecidrs`, {
        metadata: { name: "{ns}-b" },
        spec: { cidrs: ["x", "10.0.0.1/24", "10.0.0.0/8"] },
      }),
      post(`${networking}/servicecidrs`, { metadata: { name: "{ns}-b" }, spec: { cidrs: ["10.0.0.1/24"] } }),
      mergePatch(`${networking}/servicecidrs/{ns}`, { spec: { cidrs: ["fd00:78::/112"] } }),
      post(`${networking}/ipaddresses`, {
        metadata: { name: "fd00:77::9" },
        spec: { parentRef: { resource: "services", name: "a", namespace: "{ns}" } },
      }),
      get(`${networking}/ipaddresses/fd00:77::9`, table),
      post(`${networking}/ipaddresses`, { metadata: { name: "fd00:77::8" } }),
      post(`${networking}/ipaddresses`, {
        metadata: { name: "fd00:0077::8" },
        spec: { parentRef: { resource: "", name: "" } },
      }),
      mergePatch(`${networking}/ipaddresses/fd00:77::9`, { spec: { parentRef: { name: "b" } } }),
    ),
    wordingCase(
      "a Service changes its type and its ports",
      post(services, service("web", { ...web, type: "NodePort", ports: [{ name: "a", port: 80, nodePort: 30020 }] })),
      strategicPatch(`${services}/web`, { spec: { ports: [{ name: "b", port: 81 }] } }),
      put(
        `${services}/web`,
        service("web", {
          type: "NodePort",
          ports: [
            { name: "a", port: 80 },
            { name: "c", port: 82, nodePort: 30020 },
          ],
        }),
      ),
      mergePatch(`${services}/web`, { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" } }),
      mergePatch(`${services}/web`, { spec: { healthCheckNodePort: 30021 } }),
      mergePatch(`${services}/web`, { spec: { externalTrafficPolicy: "Cluster" } }),
      mergePatch(`${services}/web`, { spec: { type: "ExternalName", externalName: "example.com" } }),
      mergePatch(`${services}/web`, { spec: { type: "ClusterIP", clusterIP: "None" } }),
      mergePatch(`${services}/web`, { spec: { type: "NodePort" } }),
      get(`${services}?fieldSelector=spec.clusterIP%3DNone`, table),
      remove(services, undefined, { fields: ["kind"] }),
    ),
    wordingCase(
      "a Service is applied and tried out",
      apply(`${services}/web?fieldManager=me`, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web" },
        spec: { ports: [{ port: 80 }], selector: { app: "web" } },
      }),
      apply(`${services}/web?fieldManager=me`, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web" },
        spec: { ports: [{ port: 80, protocol: "TCP" }], selector: { app: "other" }, type: "NodePort" },
      }),
      apply(`${services}/web?fieldManager=you`, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web" },
        spec: { selector: { app: "mine" } },
      }),
      post(`${services}?dryRun=All`, service("dry", { ...web, clusterIP: "10.0.0.12" })),
      post(services, service("wet", { ...web, clusterIP: "10.0.0.12" })),
      put(`${services}/made`, service("made", web)),
      apply(`${ingresses}/web?fieldManager=me`, {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web" },
        spec: paths({ path: "/", pathType: "Prefix", backend }),
      }),
      apply(`${ingresses}/web?fieldManager=me`, {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web" },
        spec: { defaultBackend: backend },
      }),
      apply(`${policies}/web?fieldManager=me`, {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "web" },
        spec: { podSelector: { matchLabels: { a: "b" } }, ingress: [{ ports: [{ port: 80 }] }] },
      }),
      post(`${services}?dryRun=All`, service("dry", { ...web, clusterIP: "10.0.0.12" })),
    ),
    testCase("a fresh server has a Service of its own", get("/api/v1/namespaces/default/services/kubernetes", table)),
  ],
};

function named(name: string): JsonObject {
  return { service: { name: "web", port: { name } } };
}

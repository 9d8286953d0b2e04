import type { JsonObject, JsonValue } from "@kubewright/core/json";
import {
  apply,
  get,
  mergePatch,
  post,
  type RequestStep,
  remove,
  strategicPatch,
  subject,
  wording,
} from "../test-case.js";
import { create, createSpec, getTable, patchSpec, patchStatus, replace } from "./object-steps.js";
import { object, services } from "./sample-objects.js";

const endpoints = "/api/v1/namespaces/{ns}/endpoints";
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const networking = "/apis/networking.k8s.io/v1";
const ingresses = `${networking}/namespaces/{ns}/ingresses`;
const classes = `${networking}/ingressclasses`;
const cidrs = `${networking}/servicecidrs`;
const addresses = `${networking}/ipaddresses`;
const policies = `${networking}/namespaces/{ns}/networkpolicies`;

const web: JsonObject = { ports: [{ port: 80 }], selector: { app: "web" } };
const backend: JsonObject = { service: { name: "web", port: { number: 80 } } };

/** The spec of an Ingress with a wildcard host. */
function anyName(path: JsonObject): JsonObject {
  return { rules: [{ host: "*.example.com", http: { paths: [{ pathType: "Prefix", ...path }] } }] };
}

function createSlice(name: string, fields: JsonObject): RequestStep {
  return post(slices, { metadata: { name, labels: { "kubernetes.io/service-name": "web" } }, ...fields });
}

function paths(...list: JsonValue[]): JsonObject {
  return { rules: [{ host: "foo.example.com", http: { paths: list } }] };
}

const applyService = (manager: string, spec: JsonObject): RequestStep =>
  apply(`${services}/web?fieldManager=${manager}`, object("v1", "Service", "web", { spec }));
const applyIngress = (spec: JsonObject): RequestStep =>
  apply(`${ingresses}/web?fieldManager=me`, object("networking.k8s.io/v1", "Ingress", "web", { spec }));
/** A status with these ingress points. */
const balanced = (...ingress: JsonObject[]): JsonObject => ({ loadBalancer: { ingress } });

/** Services, endpoints, Ingresses and NetworkPolicies: defaults, validation, allocation, Tables. */
export const networkKinds = subject("kinds-network", {
  "a Service gets its defaults and a cluster IP": wording(
    createSpec(services, "web", web),
    get(`${services}/web`),
    getTable(services),
    mergePatch(`${services}/web`, { metadata: { labels: { a: "b" } } }),
    replace(services, "web", { spec: { ports: [{ port: 81, targetPort: "http" }], selector: { app: "web" } } }),
    patchSpec(`${services}/web`, { clusterIP: "10.0.0.7" }),
    patchSpec(`${services}/web`, { clusterIP: null, clusterIPs: null }),
    patchSpec(`${services}/web`, { ipFamilies: ["IPv6"] }),
    get(`${services}?fieldSelector=spec.type%3DClusterIP`, { fields: ["kind"] }),
    remove(`${services}/web`),
  ),
  "a Service of type NodePort gets node ports": [
    createSpec(services, "web", { ...web, type: "NodePort" }),
    createSpec(services, "chosen", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] }),
    createSpec(services, "again", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] }),
    createSpec(services, "out", { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] }),
    getTable(services),
    strategicPatch(`${services}/chosen`, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }),
    replace(services, "chosen", { spec: { type: "NodePort", ports: [{ port: 80 }] } }),
    patchSpec(`${services}/chosen`, { type: "ClusterIP" }),
    createSpec(services, "again", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] }),
  ],
  "a Service of type LoadBalancer has a status": wording(
    createSpec(services, "lb", { ...web, type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    getTable(services),
    patchStatus(`${services}/lb`, balanced({ ip: "1.2.3.4" })),
    patchStatus(`${services}/lb`, balanced({ ip: "nonsense" }, { hostname: "1.2.3.4" }, { hostname: "A_" })),
    getTable(services),
    patchSpec(`${services}/lb`, { loadBalancerClass: "example.com/a" }),
    patchSpec(`${services}/lb`, { type: "ClusterIP" }),
    patchStatus(`${services}/lb`, balanced({ ip: "1.2.3.4" })),
    createSpec(services, "quiet", {
      ...web,
      type: "LoadBalancer",
      allocateLoadBalancerNodePorts: false,
      loadBalancerClass: "example.com/a",
      loadBalancerIP: "1.2.3.4",
      loadBalancerSourceRanges: ["10.0.0.0/8"],
    }),
  ),
  "headless and ExternalName Services have no cluster IP": wording(
    createSpec(services, "headless", { ...web, clusterIP: "None" }),
    createSpec(services, "bare", { clusterIP: "None" }),
    createSpec(services, "name", { type: "ExternalName", externalName: "example.com" }),
    createSpec(services, "no-name", { type: "ExternalName" }),
    createSpec(services, "ip-name", { type: "ExternalName", externalName: "example.com", clusterIP: "10.0.0.9" }),
    getTable(services),
    patchSpec(`${services}/name`, { type: "ClusterIP", ports: [{ port: 80 }] }),
    patchSpec(`${services}/name`, { type: "ExternalName" }),
    patchSpec(`${services}/headless`, { clusterIP: "10.0.0.8" }),
    createSpec(services, "headless-port", { type: "NodePort", clusterIP: "None", ports: [{ port: 80 }] }),
  ),
  "the cluster IP of a Service can be chosen": [
    createSpec(services, "chosen", { ...web, clusterIP: "10.0.0.5" }),
    createSpec(services, "again", { ...web, clusterIP: "10.0.0.5" }),
    createSpec(services, "out", { ...web, clusterIP: "10.9.0.5" }),
    createSpec(services, "six", { ...web, clusterIP: "fd00::5" }),
    createSpec(services, "text", { ...web, clusterIP: "nonsense" }),
    createSpec(services, "two", { ...web, clusterIPs: ["10.0.0.6", "10.0.0.7"], clusterIP: "10.0.0.6" }),
    createSpec(services, "differ", { ...web, clusterIPs: ["10.0.0.6"], clusterIP: "10.0.0.7" }),
    createSpec(services, "dual", { ...web, ipFamilyPolicy: "RequireDualStack" }),
    createSpec(services, "prefer", { ...web, ipFamilyPolicy: "PreferDualStack", clusterIP: "10.0.0.11" }),
    createSpec(services, "family", { ...web, ipFamilies: ["IPv6"] }),
    createSpec(services, "families", { ...web, ipFamilies: ["IPv4", "IPv4", "IPv5"], ipFamilyPolicy: "Some" }),
    remove(`${services}/chosen`),
    createSpec(services, "again", { ...web, clusterIP: "10.0.0.5" }),
  ],
  "a Service is validated": [
    createSpec(services, "1bad", web),
    createSpec(services, "a", {}),
    createSpec(services, "a", { ports: [{}] }),
    createSpec(services, "a", { ports: [{ port: 80 }, { port: 80 }] }),
    createSpec(services, "a", {
      ports: [
        { name: "a", port: 80 },
        { name: "a", port: 80, protocol: "TCP" },
        { name: "B_", port: 70000, protocol: "ICMP", targetPort: 0, appProtocol: "a b" },
        { name: "c", port: 81, targetPort: "Too_Long-and-strange", nodePort: 30011 },
      ],
    }),
    createSpec(services, "a", {
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
    createSpec(services, "a", { ...web, sessionAffinity: "ClientIP" }),
    createSpec(services, "b", {
      ...web,
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 100000 } },
    }),
    createSpec(services, "c", { ...web, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } }),
    post(services, {
      metadata: { name: "d", annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } },
      spec: { ...web, externalIPs: ["1.2.3.4"], externalName: "x", trafficDistribution: "PreferClose" },
    }),
    createSpec(services, "e", { ...web, clusterIP: "None", sessionAffinity: "ClientIP", externalIPs: ["1.2.3.4"] }),
    getTable(services),
  ],
  "Endpoints are stored with a warning": wording(
    create(endpoints, "e", {
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
    getTable(endpoints),
    create(endpoints, "empty"),
    create(endpoints, "bad", {
      subsets: [
        { ports: [{ port: 80 }, { port: 80 }] },
        { addresses: [{ ip: "nonsense", hostname: "A_" }, { ip: "127.0.0.1" }, { ip: "" }], ports: [{ port: 0 }] },
        { addresses: [{ ip: "169.254.1.1", nodeName: "A_" }], ports: [{ port: 80, protocol: "X", name: "A_" }] },
      ],
    }),
    replace(endpoints, "made", { subsets: [{ addresses: [{ ip: "10.1.0.1" }] }] }),
    mergePatch(`${endpoints}/empty`, { metadata: { labels: { a: "b" } } }),
    remove(`${endpoints}/empty`),
  ),
  "an EndpointSlice gets its defaults and is validated": wording(
    createSlice("a", { addressType: "IPv4", endpoints: [{ addresses: ["10.1.0.1"] }], ports: [{ port: 80 }] }),
    getTable(slices),
    createSlice("full", {
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
    createSlice("none", { addressType: "Other", endpoints: [] }),
    createSlice("six", { addressType: "IPv6", endpoints: [{ addresses: ["10.1.0.1"] }, { addresses: [] }] }),
    createSlice("bad", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["127.0.0.1", "10.1.0.300"], hostname: "A_", nodeName: "A_" }],
      ports: [
        { name: "x", port: 80 },
        { name: "x", port: 81 },
        { name: "Y_", port: 0, protocol: "X", appProtocol: "a b" },
      ],
    }),
    createSlice("name", { addressType: "FQDN", endpoints: [{ addresses: ["example.com", "A_"] }] }),
    mergePatch(`${slices}/a`, { addressType: "IPv6", endpoints: [{ addresses: ["fd00::1"] }] }),
    mergePatch(`${slices}/a`, { metadata: { labels: { x: "y" } } }),
    mergePatch(`${slices}/a`, { endpoints: [{ addresses: ["10.1.0.9"] }] }),
    create(slices, "no-ports", { addressType: "IPv4", endpoints: null }),
    getTable(slices),
  ),
  "an Ingress with a wildcard host may keep invalid paths": [
    ...["1", "web"].flatMap((name) => [
      createSpec(ingresses, name, anyName({ path: "/a", backend: { service: { name, port: { number: 80 } } } })),
      replace(ingresses, name, { spec: anyName({}) }),
      createSpec(`${ingresses}?dryRun=All`, `${name}-new`, anyName({})),
    ]),
  ],
  "an Ingress is validated": wording(
    createSpec(ingresses, "a", { defaultBackend: backend }),
    createSpec(ingresses, "b", paths({ path: "/", pathType: "Prefix", backend })),
    createSpec(ingresses, "full", {
      ingressClassName: "nginx",
      tls: [{ hosts: ["foo.example.com", "*.example.com"], secretName: "s" }],
      rules: [
        { host: "*.example.com", http: { paths: [{ path: "/a", pathType: "Exact", backend }] } },
        { http: { paths: [{ pathType: "ImplementationSpecific", backend: named("http") }] } },
      ],
    }),
    getTable(ingresses),
    createSpec(ingresses, "bad", {}),
    createSpec(ingresses, "bad", paths({ path: "/", backend })),
    createSpec(ingresses, "bad", paths({ path: "x", pathType: "Prefix", backend }, { pathType: "Some", backend: {} })),
    createSpec(ingresses, "bad", paths({ path: "/a//b/../c", pathType: "Exact", backend })),
    createSpec(ingresses, "bad", { rules: [{ host: "1.2.3.4" }, { host: "A_" }, { host: "*.A_", http: {} }] }),
    createSpec(ingresses, "bad", {
      ingressClassName: "A_",
      tls: [{ hosts: ["A_"], secretName: "B_" }],
      defaultBackend: { service: { name: "A_", port: { number: 0 } } },
    }),
    createSpec(ingresses, "bad", {
      defaultBackend: { service: { name: "a", port: { number: 80, name: "x" } }, resource: { kind: "K", name: "n" } },
    }),
    createSpec(ingresses, "bad", { defaultBackend: { service: { name: "a", port: { name: "Too_Long" } } } }),
    post(ingresses, {
      metadata: { name: "old", annotations: { "kubernetes.io/ingress.class": "x" } },
      spec: { ingressClassName: "y", defaultBackend: backend },
    }),
    patchStatus(`${ingresses}/a`, balanced({ ip: "1.2.3.4", ports: [{ port: 80, protocol: "TCP" }] })),
    patchStatus(`${ingresses}/a`, balanced({ ip: "x" }, { hostname: "1.2.3.4" })),
    getTable(ingresses),
    patchSpec(`${ingresses}/a`, { ingressClassName: "other" }),
  ),
  "an IngressClass is validated, and its controller is immutable": wording(
    createSpec(classes, "{ns}", { controller: "example.com/x" }),
    createSpec(classes, "{ns}-b", {}),
    createSpec(classes, "{ns}-b", { controller: "nonsense" }),
    createSpec(classes, "{ns}-b", {
      controller: "a.b/c",
      parameters: { apiGroup: "A_", kind: "", name: "", scope: "Some" },
    }),
    createSpec(classes, "{ns}-c", { controller: "a.b/c", parameters: { apiGroup: "a.b", kind: "K", name: "n" } }),
    createSpec(classes, "{ns}-d", { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace" } }),
    getTable(`${classes}/{ns}`),
    getTable(`${classes}/{ns}-c`),
    patchSpec(`${classes}/{ns}`, { controller: "example.com/y" }),
  ),
  "a NetworkPolicy gets its defaults and is validated": [
    createSpec(policies, "a", { podSelector: {} }),
    create(policies, "none"),
    createSpec(policies, "full", {
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
    }),
    getTable(policies),
    createSpec(policies, "bad", { podSelector: { matchLabels: { "a b": "c" } } }),
    createSpec(policies, "bad", {
      podSelector: {},
      policyTypes: ["Ingress", "Other", "Egress"],
      ingress: [{ from: [{}, { ipBlock: { cidr: "x" }, podSelector: {} }], ports: [{ port: 0, protocol: "X" }] }],
    }),
    createSpec(policies, "bad", {
      podSelector: {},
      ingress: [
        {
          from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/8", "10.0.0.0/8"] } }, { ipBlock: { cidr: "" } }],
          ports: [{ endPort: 80 }, { port: "http", endPort: 80 }, { port: 80, endPort: 70 }, { port: "Too_Long" }],
        },
      ],
    }),
    patchSpec(`${policies}/a`, { policyTypes: ["Egress", "Ingress"] }),
  ],
  "IPAddresses and ServiceCIDRs are served": [
    get(`${cidrs}/kubernetes`, { fields: ["apiVersion", "kind", "spec"] }),
    createSpec(cidrs, "{ns}", { cidrs: ["fd00:77::/112"] }),
    createSpec(cidrs, "{ns}-b", {}),
    createSpec(cidrs, "{ns}-b", { cidrs: ["x", "10.0.0.1/24", "10.0.0.0/8"] }),
    createSpec(cidrs, "{ns}-b", { cidrs: ["10.0.0.1/24"] }),
    patchSpec(`${cidrs}/{ns}`, { cidrs: ["fd00:78::/112"] }),
    createSpec(addresses, "fd00:77::9", { parentRef: { resource: "services", name: "a", namespace: "{ns}" } }),
    getTable(`${addresses}/fd00:77::9`),
    create(addresses, "fd00:77::8"),
    createSpec(addresses, "fd00:0077::8", { parentRef: { resource: "", name: "" } }),
    patchSpec(`${addresses}/fd00:77::9`, { parentRef: { name: "b" } }),
  ],
  "a Service changes its type and its ports": wording(
    createSpec(services, "web", { ...web, type: "NodePort", ports: [{ name: "a", port: 80, nodePort: 30020 }] }),
    strategicPatch(`${services}/web`, { spec: { ports: [{ name: "b", port: 81 }] } }),
    replace(services, "web", {
      spec: {
        type: "NodePort",
        ports: [
          { name: "a", port: 80 },
          { name: "c", port: 82, nodePort: 30020 },
        ],
      },
    }),
    patchSpec(`${services}/web`, { type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    patchSpec(`${services}/web`, { healthCheckNodePort: 30021 }),
    patchSpec(`${services}/web`, { externalTrafficPolicy: "Cluster" }),
    patchSpec(`${services}/web`, { type: "ExternalName", externalName: "example.com" }),
    patchSpec(`${services}/web`, { type: "ClusterIP", clusterIP: "None" }),
    patchSpec(`${services}/web`, { type: "NodePort" }),
    getTable(`${services}?fieldSelector=spec.clusterIP%3DNone`),
    remove(services, undefined, { fields: ["kind"] }),
  ),
  "a Service is applied and dry-run": wording(
    applyService("me", { ports: [{ port: 80 }], selector: { app: "web" } }),
    applyService("me", { ports: [{ port: 80, protocol: "TCP" }], selector: { app: "other" }, type: "NodePort" }),
    applyService("you", { selector: { app: "mine" } }),
    createSpec(`${services}?dryRun=All`, "dry", { ...web, clusterIP: "10.0.0.12" }),
    createSpec(services, "wet", { ...web, clusterIP: "10.0.0.12" }),
    replace(services, "made", { spec: web }),
    applyIngress(paths({ path: "/", pathType: "Prefix", backend })),
    applyIngress({ defaultBackend: backend }),
    apply(
      `${policies}/web?fieldManager=me`,
      object("networking.k8s.io/v1", "NetworkPolicy", "web", {
        spec: { podSelector: { matchLabels: { a: "b" } }, ingress: [{ ports: [{ port: 80 }] }] },
      }),
    ),
    createSpec(`${services}?dryRun=All`, "dry", { ...web, clusterIP: "10.0.0.12" }),
  ),
  "a new server has the Service kubernetes": [getTable("/api/v1/namespaces/default/services/kubernetes")],
});

function named(name: string): JsonObject {
  return { service: { name: "web", port: { name } } };
}

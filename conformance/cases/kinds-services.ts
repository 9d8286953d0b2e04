import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, mergePatch, post, put, type RequestStep, remove, type Subject, scenario } from "../case.js";

const services = "/api/v1/namespaces/{ns}/services";
const shown = { fields: ["kind", "code", "reason", "message", "details", "spec", "status"] };

function service(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec };
}

const make = (name: string, spec: JsonObject): RequestStep => post(services, service(name, spec), shown);
const tryOut = (name: string, spec: JsonObject): RequestStep =>
  post(`${services}?dryRun=All`, service(name, spec), shown);
const change = (name: string, spec: JsonObject): RequestStep => mergePatch(`${services}/${name}`, { spec }, shown);
const replace = (name: string, spec: JsonObject): RequestStep => put(`${services}/${name}`, service(name, spec), shown);
const clear = remove(services, undefined, { fields: ["kind"] });

/** One number in two protocols. */
function both(port: number, first: JsonObject = {}, second: JsonObject = {}): JsonValue {
  return [
    { name: `t${port}`, port, ...first },
    { name: `u${port}`, port, protocol: "UDP", ...second },
  ];
}

/** Services at their edges: how families, addresses and ports of nodes hang together. */
export const serviceKinds: Subject = {
  name: "kinds-services",
  cases: [
    scenario(
      "a Service lets go of its second family when it asks for one",
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
    ),
    scenario(
      "ports of one number share a port of the nodes",
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
      tryOut("d", {
        type: "NodePort",
        ports: [
          { name: "x", port: 80, nodePort: 30034 },
          { name: "y", port: 81, nodePort: 30034, protocol: "UDP" },
        ],
      }),
      make("d", {
        type: "NodePort",
        ports: [
          { name: "x", port: 80, nodePort: 30034 },
          { name: "y", port: 81, nodePort: 30034, protocol: "UDP" },
        ],
      }),
      tryOut("d", { type: "NodePort", ports: both(80, { nodePort: 30030 }) }),
      clear,
    ),
    scenario(
      "ports of nodes of a Service that changes are its own",
      make("a", { type: "NodePort", ports: both(80, { nodePort: 30040 }) }),
      replace("a", { type: "NodePort", ports: both(80) }),
      replace("a", {
        type: "NodePort",
        ports: [
          { name: "x", port: 80, nodePort: 30040 },
          { name: "y", port: 81, nodePort: 30041 },
          { name: "z", port: 82, nodePort: 30041, protocol: "UDP" },
        ],
      }),
      replace("a", {
        type: "NodePort",
        ports: [
          { name: "x", port: 80, nodePort: 30040 },
          { name: "y", port: 81, nodePort: 30040 },
        ],
      }),
      replace("a", {
        type: "NodePort",
        ports: [
          { name: "x", port: 80, nodePort: 30042 },
          { name: "y", port: 81, nodePort: 30042 },
        ],
      }),
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
  ],
};

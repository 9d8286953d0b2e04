import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { type FuzzKind, parts } from "./builtin-objects.js";
import type { Chooser } from "./chooser.js";

function ports(choose: Chooser): JsonValue {
  const numbers = choose.some([80, 443, 8080, 0, 70_000], 3);
  return [...numbers, ...(choose.chance(10) ? numbers.slice(0, 1) : [])].map((port) => ({
    port,
    ...parts(choose, [
      [70, "name", () => choose.of([`p${port}`, `p${port}`, `p${port}`, "web", "Bad_Name"])],
      [30, "protocol", () => choose.of(["TCP", "UDP", "SCTP", "X"])],
      [40, "targetPort", () => choose.of<JsonValue>([8080, "http", 0, "", "Bad_Name!"])],
      [10, "appProtocol", () => choose.of(["http", "kubernetes.io/h2c", "-x"])],
      // No valid node ports: other cases may have allocated them.
      [4, "nodePort", () => choose.of([1, -1, 70_000])],
    ]),
  }));
}

/** Services. They never request cluster IPs or node ports that other cases may have allocated. */
export const service: FuzzKind = {
  apiVersion: "v1",
  kind: "Service",
  path: "/api/v1/namespaces/{ns}/services",
  subresources: ["status"],
  fields: ["metadata.name", "spec.clusterIP", "spec.type"],
  isStrategic: true,
  content: (choose): JsonObject => ({
    spec: parts(choose, [
      [92, "ports", () => ports(choose)],
      [60, "selector", () => choose.of<JsonObject>([{ app: "web" }, { app: "db", tier: "x" }, {}, { "bad key": "x" }])],
      [40, "type", () => choose.of(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Odd"])],
      [12, "clusterIP", () => choose.of(["None", "None", "", "10.1.2.3", "x"])],
      [10, "externalName", () => choose.of(["example.com", "", "Not A Name"])],
      [12, "sessionAffinity", () => choose.of(["None", "ClientIP", "Odd"])],
      [6, "sessionAffinityConfig", () => ({ clientIP: { timeoutSeconds: choose.of([10, 0, 90_000]) } })],
      [8, "publishNotReadyAddresses", () => choose.chance(50)],
      [10, "internalTrafficPolicy", () => choose.of(["Cluster", "Local", "Odd"])],
      [10, "externalTrafficPolicy", () => choose.of(["Cluster", "Cluster", "Odd"])],
      [8, "ipFamilyPolicy", () => choose.of(["SingleStack", "PreferDualStack", "RequireDualStack", "Odd"])],
      [8, "ipFamilies", () => choose.of<JsonValue>([["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["IPv4", "IPv4"], ["X"]])],
      [
        8,
        "externalIPs",
        () => choose.of<JsonValue>([["192.0.2.1"], ["x"], ["127.0.0.1"], ["192.0.02.1", "2001:DB8::1"]]),
      ],
      [6, "loadBalancerClass", () => choose.of(["example.com/lb", "-bad"])],
      [
        6,
        "loadBalancerSourceRanges",
        () => choose.of<JsonValue>([["10.0.0.0/8"], ["x"], ["10.0.0.1/8", "2001:DB8::/64"]]),
      ],
      [5, "allocateLoadBalancerNodePorts", () => choose.chance(50)],
      [5, "trafficDistribution", () => choose.of(["PreferClose", "PreferSameNode", "Odd"])],
    ]),
    ...(choose.chance(6)
      ? { status: { loadBalancer: { ingress: [{ ip: choose.of(["192.0.2.7", "2001:DB8::7"]) }] } } }
      : {}),
  }),
};

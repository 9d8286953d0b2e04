import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { deployment, image, pod, service } from "../objects.js";
import { area } from "../scenario.js";
import {
  become,
  create,
  newPods,
  patch,
  remove,
  removePods,
  terminatingPodsHang,
  terminatingPodsStop,
} from "../step.js";

function listening(name: string, containerPort: number) {
  return { containers: [{ name: "app", image: "app:1", ports: [{ name, containerPort }] }] };
}

/** Endpoints of the Service `out`. */
function byHand(subsets: JsonValue, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Endpoints", metadata: { name: "out", ...metadata }, subsets };
}

/** The Endpoints, EndpointSlice and EndpointSliceMirroring controllers. */
export const endpointsArea = area("endpoints", {
  "endpoints follow the readiness of pods and serve while terminating": [
    create(service("web")),
    newPods("running"),
    create(pod("a", {}, { labels: { app: "web" } })),
    create(pod("b", {}, { labels: { app: "web" } })),
    become("a", "ready"),
    become("b", "ready"),
    become("a", "running"),
    terminatingPodsHang,
    removePods("b"),
    become("a", "ready"),
    terminatingPodsStop,
    become("a", "exit 1"),
    remove("services/web"),
  ],
  "named target ports are resolved per pod": [
    create(
      service("web", {
        ports: [
          { name: "http", port: 80, targetPort: "serve" },
          { name: "admin", port: 81, targetPort: 9000 },
        ],
      }),
    ),
    create(pod("a", listening("serve", 8080), { labels: { app: "web" } })),
    create(pod("b", listening("serve", 8081), { labels: { app: "web" } })),
    create(pod("c", listening("other", 8082), { labels: { app: "web" } })),
    patch("services/web", { spec: { ports: [{ name: "http", port: 80, targetPort: "serve", protocol: "TCP" }] } }),
    patch("services/web", { spec: { ports: [{ name: "dns", port: 53, protocol: "UDP" }] } }),
    patch("pods/c", { metadata: { labels: { app: "none" } } }),
    remove("pods/a"),
    patch("services/web", { spec: { selector: { app: "none" } } }),
    patch("services/web", { spec: { selector: { app: "web" } } }),
  ],
  "the endpoints of a headless Service have the hostnames of its pods": [
    create(service("db", { clusterIP: "None" })),
    create(pod("a", { hostname: "first", subdomain: "db" }, { labels: { app: "db" } })),
    create(pod("b", { hostname: "second", subdomain: "other" }, { labels: { app: "db" } })),
    become("a", "running"),
    patch("services/db", { spec: { publishNotReadyAddresses: true } }),
    newPods("pulling"),
    create(pod("c", {}, { labels: { app: "db" } })),
    patch("services/db", { metadata: { labels: { tier: "data" }, annotations: { note: "x" } } }),
    patch("services/db", { spec: { publishNotReadyAddresses: false } }),
    patch("services/db", { spec: { ports: null } }),
  ],
  "manual Endpoints are mirrored, and a Service without a selector is ignored": [
    create(service("out", { selector: null })),
    create(
      byHand(
        [
          { addresses: [{ ip: "192.0.2.1" }, { ip: "192.0.2.2", hostname: "two" }], ports: [{ port: 80 }] },
          { notReadyAddresses: [{ ip: "192.0.2.3" }], ports: [{ name: "x", port: 81 }] },
        ],
        { labels: { by: "hand" } },
      ),
    ),
    patch("endpoints/out", { subsets: [{ addresses: [{ ip: "192.0.2.9" }], ports: [{ port: 80 }] }] }),
    patch("services/out", { spec: { selector: { app: "out" } } }),
    create(pod("out")),
    patch("services/out", { spec: { selector: null } }),
    remove("endpoints/out"),
    remove("services/out"),
    create(byHand([{ addresses: [{ ip: "192.0.2.7" }] }])),
    create(service("out", { selector: null })),
  ],
  "endpoints follow the pods of a Deployment during a rollout": [
    create(service("web")),
    create(deployment("web", { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })),
    newPods("running"),
    patch("deployments/web", image("app:2")),
    become({ of: "web", state: "unready" }, "ready"),
    become({ of: "web", state: "unready" }, "ready"),
    patch("services/web", {
      spec: {
        type: "ExternalName",
        externalName: "example.com",
        clusterIP: null,
        clusterIPs: null,
        selector: null,
        ports: null,
      },
    }),
    remove("deployments/web"),
    create(service("web2", { selector: { app: "web" } })),
    create(pod("web")),
  ],
  "a changed or deleted EndpointSlice is restored": [
    create(pod("web")),
    create(service("web", { sessionAffinity: "ClientIP", trafficDistribution: "PreferClose" })),
    patch("endpoints/web", { metadata: { labels: { mine: "yes" } } }),
    remove("endpoints/web"),
    patch("services/web", { spec: { trafficDistribution: null } }),
    patch("services/web", { metadata: { labels: { "service.kubernetes.io/headless": "x", own: "y" } } }),
    remove("pods/web"),
    create(pod("web")),
    become("web", "succeeded"),
    remove("services/web"),
  ],
});

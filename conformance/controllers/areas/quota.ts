import { claim, deployment, pod, quota, requesting, service } from "../objects.js";
import { area } from "../scenario.js";
import { become, create, patch, remove, scale, wait } from "../step.js";

const all = "resourcequotas/all";

/** The ResourceQuota controller. */
export const quotaArea = area("quota", {
  "a ResourceQuota counts objects and rejects what exceeds it": [
    create(pod("before", requesting({ cpu: "100m" }))),
    create(
      quota("all", { pods: "3", "requests.cpu": "1", services: "1", "count/deployments.apps": "1", configmaps: "5" }),
    ),
    create(pod("a", requesting({ cpu: "500m" }))),
    create(pod("b", requesting({ cpu: "500m" }))),
    create(pod("c")),
    create(service("web")),
    create(service("more")),
    create(deployment("one", { replicas: 0 })),
    create(deployment("two", { replicas: 0 })),
    remove("pods/before"),
    become("a", "succeeded"),
    remove("services/web"),
    patch(all, { spec: { hard: { pods: "1" } } }),
    patch(all, { spec: { hard: { services: null } } }),
    remove("deployments/one"),
  ],
  "a ResourceQuota with scopes counts only matching pods": [
    create(quota("cheap", { pods: "1" }, { scopes: ["BestEffort"] })),
    create(quota("dear", { "requests.memory": "2Gi" }, { scopes: ["NotBestEffort", "NotTerminating"] })),
    create(pod("free")),
    create(pod("free2")),
    create(pod("paid", requesting({ memory: "1Gi" }))),
    create(pod("paid2", requesting({ memory: "2Gi" }))),
    create(pod("short", { ...requesting({ memory: "4Gi" }), activeDeadlineSeconds: 100 })),
    remove("pods/free"),
    remove("pods/paid"),
    remove("pods/short"),
  ],
  "a ResourceQuota counts the pods of a Deployment and requested storage": [
    create(quota("all", { pods: "3", persistentvolumeclaims: "1", "requests.storage": "5Gi" })),
    create(deployment("web", { replicas: 2 })),
    scale("deployments/web", 4),
    create(claim("a", { resources: { requests: { storage: "2Gi" } } })),
    create(claim("b", { resources: { requests: { storage: "2Gi" } } })),
    scale("deployments/web", 1),
    wait(1),
    remove("persistentvolumeclaims/a"),
    remove(all),
    remove("deployments/web"),
  ],
});

import type { TransportRequest } from "@kubewright/core/transport";
import { authenticatedUser, nodeUser, serviceAccountUser, type User } from "./access/index.js";
import { objectAt, textAt } from "./registry/index.js";
import type { Store } from "./storage/index.js";

const controllerManager = authenticatedUser("system:kube-controller-manager", []);
const scheduler = authenticatedUser("system:kube-scheduler", []);

/** The ServiceAccounts in kube-system of controllers with another name. */
const accounts: Readonly<Record<string, string>> = {
  controllermanager: "disruption-controller",
  csrapproving: "certificate-controller",
  csrcleaner: "certificate-controller",
  csrsigning: "certificate-controller",
  "daemonset-controller": "daemon-set-controller",
  "endpoint-slice-controller": "endpointslice-controller",
  "endpoint-slice-mirroring-controller": "endpointslicemirroring-controller",
  "ephemeral-volume": "ephemeral-volume-controller",
  "job-pod-release": "job-controller",
  "persistentvolume-binder": "persistent-volume-binder",
  "persistentvolume-controller": "persistent-volume-binder",
  "root-ca-certificate-publisher": "root-ca-cert-publisher",
  "serviceaccount-controller": "service-account-controller",
  "stale-disruption-controller": "disruption-controller",
};

/** Controllers of simulated nodes, which act as the node of the requested object. */
const kubelets: ReadonlySet<string> = new Set(["kubelet", "node-heartbeat"]);

/**
 * The user of each request of a workload controller, as in a real cluster: controllers have ServiceAccounts in kube-system, the scheduler is
 * `system:kube-scheduler`, and a node is `system:node:<name>`. Without a name, that of kube-controller-manager, whose caches the controllers share.
 */
export function componentUser(controller: string | undefined, store: Store): (request: TransportRequest) => User {
  // As in kube-controller-manager, which creates tokens with its own identity.
  if (controller === undefined || controller === "serviceaccount-token-controller") return () => controllerManager;
  if (controller === "default-scheduler") return () => scheduler;
  if (!kubelets.has(controller)) {
    // The quota controller starts one controller for each resource, whose names begin with its own.
    const [name = ""] = controller.split(" ");
    const user = serviceAccountUser("kube-system", accounts[name] ?? name);
    return () => user;
  }
  const nodes = new Map<string, User>();
  return (request) => {
    const name = nodeOfRequest(request, store);
    if (name === undefined) return controllerManager;
    const known = nodes.get(name) ?? nodeUser(name);
    nodes.set(name, known);
    return known;
  };
}

const nodeLease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const podPath = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)/;

/** The node whose kubelet would send a request: of a Node, of a Lease, of a Pod, or of an event about one of them. */
function nodeOfRequest({ path, body }: TransportRequest, store: Store): string | undefined {
  const object = (body ?? {}) as Parameters<typeof objectAt>[0];
  const ownName =
    /^\/api\/v1\/nodes\/([^/]+)/.exec(path)?.[1] ?? (path.startsWith(`${nodeLease}/`) ? path.split("/")[7] : undefined);
  if (ownName !== undefined) return ownName;
  if (path === "/api/v1/nodes" || path === nodeLease) return textAt(objectAt(object, "metadata"), "name") || undefined;
  const [, namespace, pod] = podPath.exec(path) ?? [];
  if (pod !== undefined) return nodeOfPod(store, `${namespace}/${pod}`);
  const regarding = objectAt(object, "regarding");
  if (textAt(regarding, "kind") === "Node") return textAt(regarding, "name");
  return textAt(regarding, "kind") === "Pod"
    ? nodeOfPod(store, `${textAt(regarding, "namespace")}/${textAt(regarding, "name")}`)
    : undefined;
}

function nodeOfPod(store: Store, key: string): string | undefined {
  const pod = store.bucket("pods").get(key)?.object;
  return (pod && textAt(objectAt(pod, "spec"), "nodeName")) || undefined;
}

import { get, type RequestStep, subject } from "../test-case.js";

const core = [
  "configmaps",
  "endpoints",
  "events",
  "limitranges",
  "persistentvolumeclaims",
  "pods",
  "podtemplates",
].concat("replicationcontrollers", "resourcequotas", "secrets", "serviceaccounts", "services");

/** The collections of built-in kinds. */
const collections = [
  ...core.map((plural) => `/api/v1/${plural}`),
  ...["namespaces", "nodes", "persistentvolumes"].map((plural) => `/api/v1/${plural}`),
  ...["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"].map(
    (plural) => `/apis/apps/v1/${plural}`,
  ),
  ...["jobs", "cronjobs"].map((plural) => `/apis/batch/v1/${plural}`),
  "/apis/autoscaling/v2/horizontalpodautoscalers",
  "/apis/certificates.k8s.io/v1/certificatesigningrequests",
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/discovery.k8s.io/v1/endpointslices",
  "/apis/events.k8s.io/v1/events",
  ...["ingresses", "ingressclasses", "networkpolicies", "ipaddresses", "servicecidrs"].map(
    (plural) => `/apis/networking.k8s.io/v1/${plural}`,
  ),
  "/apis/node.k8s.io/v1/runtimeclasses",
  "/apis/policy/v1/poddisruptionbudgets",
  ...["roles", "rolebindings", "clusterroles", "clusterrolebindings"].map(
    (plural) => `/apis/rbac.authorization.k8s.io/v1/${plural}`,
  ),
  ...["deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices"].map(
    (plural) => `/apis/resource.k8s.io/v1/${plural}`,
  ),
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  ...["csidrivers", "csinodes", "csistoragecapacities", "storageclasses", "volumeattachments"].map(
    (plural) => `/apis/storage.k8s.io/v1/${plural}`,
  ),
  "/apis/storage.k8s.io/v1/volumeattributesclasses",
  ...["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].map(
    (plural) => `/apis/admissionregistration.k8s.io/v1/${plural}`,
  ),
  ...["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(
    (plural) => `/apis/admissionregistration.k8s.io/v1/${plural}`,
  ),
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "/apis/apiregistration.k8s.io/v1/apiservices",
  ...["flowschemas", "prioritylevelconfigurations"].map((plural) => `/apis/flowcontrol.apiserver.k8s.io/v1/${plural}`),
];

/** Fields that at least one kind selects by, or that one would expect. */
const labels = [
  ...["metadata.name", "metadata.namespace", "metadata.uid", "name", "type", "reason", "source", "spec.other"],
  ...["reportingComponent", "reportingController", "involvedObject.name", "regarding.name", "spec.clusterIP"],
  ...["spec.driver", "spec.host", "spec.hostNetwork", "spec.nodeName", "spec.podName", "spec.restartPolicy"],
  ...["spec.schedulerName", "spec.serviceAccountName", "spec.signerName", "spec.type", "spec.unschedulable"],
  ...["status.nominatedNodeName", "status.phase", "status.podIP", "status.podIPs", "status.replicas"],
  "status.successful",
];

const list = (path: string, label: string): RequestStep =>
  get(`${path}?fieldSelector=${encodeURIComponent(`${label}=none-of-these`)}`, {
    fields: ["kind", "items", "message", "reason", "code"],
    wording: true,
  });

/** Which fields of each built-in kind a list selects by. */
export const fieldSelectors = subject(
  "field-selectors",
  Object.fromEntries(
    collections.map((path) => [`field selectors of ${path}`, labels.map((label) => list(path, label))]),
  ),
);

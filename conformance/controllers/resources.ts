/** Where a kind is served. */
export interface ResourceType {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** By group and version: `Kind plural`; a `*` marks cluster-scoped resources. */
const served: Readonly<Record<string, string>> = {
  v1:
    "Pod pods|ReplicationController replicationcontrollers|Service services|Endpoints endpoints|ConfigMap configmaps|" +
    "Secret secrets|ServiceAccount serviceaccounts|PersistentVolumeClaim persistentvolumeclaims|ResourceQuota resourcequotas|" +
    "LimitRange limitranges|Event events|Node nodes*|PersistentVolume persistentvolumes*|Namespace namespaces*",
  "apps/v1":
    "Deployment deployments|ReplicaSet replicasets|StatefulSet statefulsets|DaemonSet daemonsets|ControllerRevision controllerrevisions",
  "batch/v1": "Job jobs|CronJob cronjobs",
  "discovery.k8s.io/v1": "EndpointSlice endpointslices",
  "policy/v1": "PodDisruptionBudget poddisruptionbudgets",
  "autoscaling/v2": "HorizontalPodAutoscaler horizontalpodautoscalers",
  "storage.k8s.io/v1": "StorageClass storageclasses*",
  "scheduling.k8s.io/v1": "PriorityClass priorityclasses*",
  "metrics.k8s.io/v1beta1": "PodMetrics pods",
  "external.metrics.k8s.io/v1beta1": "ExternalMetricValue queue",
  "scenarios.example.com/v1": "Farm farms",
  "apiextensions.k8s.io/v1": "CustomResourceDefinition customresourcedefinitions*",
  "admissionregistration.k8s.io/v1":
    "ValidatingAdmissionPolicy validatingadmissionpolicies*|ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings*",
  "certificates.k8s.io/v1": "CertificateSigningRequest certificatesigningrequests*",
  "rbac.authorization.k8s.io/v1": "ClusterRole clusterroles*|ClusterRoleBinding clusterrolebindings*",
};

const types: readonly ResourceType[] = Object.entries(served).flatMap(([apiVersion, list]) =>
  list.split("|").map((entry) => {
    const [kind = "", name = ""] = entry.split(" ");
    return { kind, apiVersion, plural: name.replace("*", ""), namespaced: !name.endsWith("*") };
  }),
);

/** The type by kind or plural. Throws for one that is not listed above. */
export function typeOf(kindOrPlural: string): ResourceType {
  const found = types.find(({ kind, plural }) => kind === kindOrPlural || plural === kindOrPlural);
  if (!found)
    throw new TypeError(`Cannot find the resource "${kindOrPlural}": add it to conformance/controllers/resources.ts`);
  return found;
}

/** The path of a collection, or of one object in it. */
export function pathOf({ apiVersion, plural, namespaced }: ResourceType, namespace: string, name?: string): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inside = namespaced ? `/namespaces/${namespace}` : "";
  return `${root}${inside}/${plural}${name === undefined ? "" : `/${name}`}`;
}

/** The path of a collection in all namespaces. */
export function pathOfAll({ apiVersion, plural }: ResourceType): string {
  return `${apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`}/${plural}`;
}

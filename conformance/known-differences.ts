/** A place where the embedded cluster differs from a real server, and why it may. */
export interface KnownDifference {
  /** The name of the case. */
  readonly case: string;
  /** Step and place, as a failure prints it; everything below it is meant too. A step alone (`2`) means all of it. */
  readonly at: string;
  /** One sentence. */
  readonly why: string;
}

/** Differences that have one reason: by the name of the case, where it differs. */
interface Reason {
  readonly why: string;
  readonly places: Readonly<Record<string, readonly string[]>>;
}

const reasons: readonly Reason[] = [
  {
    why: "Policies are written in CEL, which is not evaluated: they are refused, unless the server was started to take them without effect.",
    places: {
      "the form of a policy is checked": ["7"],
    },
  },
  {
    why: "The administrator of this server has no uid.",
    places: {
      "a CertificateSigningRequest is approved on a path of its own": [
        "3 body.spec.uid",
        "4 body.spec.uid",
        "6 body.spec.uid",
      ],
    },
  },
  {
    why: "CEL is not evaluated, and a warning says so.",
    places: {
      "rules in CEL are checked when they are defined": ["1"],
    },
  },
  {
    why: "Answers in protobuf are not there, so they are not offered.",
    places: {
      "the one document in its beta form is asked for": ["1 body.message"],
      "a form that nobody knows is not acceptable": ["2 body.message", "3 body.message", "4 body.message"],
      "an answer is written in YAML where that is asked for": ["2", "4"],
      "any form is JSON": ["3"],
    },
  },
  {
    why: "Descriptions are texts of Kubernetes' documentation, which this server does not carry.",
    places: {
      "the schema of a custom resource is published": ["1 body.components"],
    },
  },
  {
    why: "Descriptions of columns are texts of Kubernetes' documentation, which this server does not carry.",
    places: {
      "a Service changes its type and its ports": ["10 body.columnDefinitions[*].description"],
      "a Scale is shown as a table, and by its metadata": [
        "2 body.columnDefinitions[*].description",
        "3 body.columnDefinitions[*].description",
      ],
      "a PersistentVolumeClaim that is bound may grow": ["12 body.columnDefinitions[*].description"],
      "the form of a policy is checked": ["6 body.columnDefinitions[*].description"],
      "devices are asked for": [
        "2 body.columnDefinitions[*].description",
        "4 body.columnDefinitions[*].description",
        "7 body.columnDefinitions[*].description",
        "9 body.columnDefinitions[*].description",
      ],
      "a Service gets its defaults and an address": ["3 body.columnDefinitions[*].description"],
      "a Service of type NodePort gets ports of the nodes": ["5 body.columnDefinitions[*].description"],
      "a Service of type LoadBalancer has a status of its own": [
        "2 body.columnDefinitions[*].description",
        "5 body.columnDefinitions[*].description",
      ],
      "headless Services and names of others have no address": ["6 body.columnDefinitions[*].description"],
      "a Service is checked": ["12 body.columnDefinitions[*].description"],
      "Endpoints are stored with a warning": ["2 body.columnDefinitions[*].description"],
      "an EndpointSlice gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "12 body.columnDefinitions[*].description",
      ],
      "an Ingress is checked": ["4 body.columnDefinitions[*].description", "16 body.columnDefinitions[*].description"],
      "an IngressClass is checked, and its controller does not change": [
        "7 body.columnDefinitions[*].description",
        "8 body.columnDefinitions[*].description",
      ],
      "a NetworkPolicy gets its defaults, and is checked": ["4 body.columnDefinitions[*].description"],
      "addresses and ranges of Services are objects": ["8 body.columnDefinitions[*].description"],
      "a fresh server has a Service of its own": ["1 body.columnDefinitions[*].description"],
      "a PersistentVolumeClaim gets its defaults, and hardly changes": [
        "2 body.columnDefinitions[*].description",
        "7 body.columnDefinitions[*].description",
      ],
      "a PersistentVolume gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "9 body.columnDefinitions[*].description",
        "14 body.columnDefinitions[*].description",
      ],
      "a StorageClass gets its defaults, and does not change": [
        "2 body.columnDefinitions[*].description",
        "6 body.columnDefinitions[*].description",
      ],
      "a VolumeAttachment does not change": [
        "2 body.columnDefinitions[*].description",
        "7 body.columnDefinitions[*].description",
      ],
      "a CSIDriver gets its defaults": [
        "2 body.columnDefinitions[*].description",
        "6 body.columnDefinitions[*].description",
      ],
      "a CSINode keeps its drivers": ["2 body.columnDefinitions[*].description"],
      "a CSIStorageCapacity tells of a class": ["2 body.columnDefinitions[*].description"],
      "typed Secrets must hold what their type says": ["11 body.columnDefinitions[*].description"],
      "rules of a Role are checked": ["2 body.columnDefinitions[*].description"],
      "rules of a ClusterRole are checked": ["5 body.columnDefinitions[*].description"],
      "a RoleBinding gets its defaults, and its role does not change": [
        "3 body.columnDefinitions[*].description",
        "9 body.columnDefinitions[*].description",
      ],
      "a ClusterRoleBinding takes no Role": ["2 body.columnDefinitions[*].description"],
      "a ServiceAccount names its secrets": ["2 body.columnDefinitions[*].description"],
      "a ValidatingWebhookConfiguration gets its defaults, and is checked": ["2 body.columnDefinitions[*].description"],
      "a MutatingWebhookConfiguration gets its defaults, and is checked": ["2 body.columnDefinitions[*].description"],
      "a binding of a policy is checked": ["2 body.columnDefinitions[*].description"],
      "a FlowSchema gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "6 body.columnDefinitions[*].description",
      ],
      "a PriorityLevelConfiguration gets its defaults, and is checked": ["10 body.columnDefinitions[*].description"],
      "a Node is checked, and its status is its own": [
        "2 body.columnDefinitions[*].description",
        "5 body.columnDefinitions[*].description",
        "6 body.columnDefinitions[*].description",
      ],
      "a ResourceQuota is checked": [
        "2 body.columnDefinitions[*].description",
        "4 body.columnDefinitions[*].description",
      ],
      "a LimitRange gets its defaults, and is checked": ["2 body.columnDefinitions[*].description"],
      "a RuntimeClass is checked": ["2 body.columnDefinitions[*].description"],
      "a Lease is checked, and shown": ["2 body.columnDefinitions[*].description"],
      "Deployments are shown as tables": ["2 body.columnDefinitions[*].description"],
      "a CertificateSigningRequest is approved on a path of its own": ["7 body.columnDefinitions[*].description"],
      "objects of kinds without rules of their own are stored": ["2 body.columnDefinitions[*].description"],
      "a minimal Pod gets its defaults": [
        "3 body.columnDefinitions[*].description",
        "4 body.columnDefinitions[*].description",
      ],
      "init containers of a Pod are checked": ["5 body.columnDefinitions[*].description"],
      "where a Pod runs is checked": ["4 body.columnDefinitions[*].description"],
      "the status of a Pod has its own path, and shows in the table": [
        "3 body.columnDefinitions[*].description",
        "5 body.columnDefinitions[*].description",
        "7 body.columnDefinitions[*].description",
        "9 body.columnDefinitions[*].description",
        "11 body.columnDefinitions[*].description",
      ],
      "a Pod ends gracefully": ["6 body.columnDefinitions[*].description"],
      "a PodTemplate is checked": ["2 body.columnDefinitions[*].description"],
      "a ReplicaSet gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "12 body.columnDefinitions[*].description",
      ],
      "a ReplicationController gets its defaults, and is checked": ["2 body.columnDefinitions[*].description"],
      "a StatefulSet gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "14 body.columnDefinitions[*].description",
      ],
      "a DaemonSet gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "14 body.columnDefinitions[*].description",
      ],
      "a ControllerRevision holds data that do not change": ["2 body.columnDefinitions[*].description"],
      "a Job gets its defaults, and a selector of its own": [
        "2 body.columnDefinitions[*].description",
        "4 body.columnDefinitions[*].description",
      ],
      "a Job hardly changes, and its status has rules": [
        "8 body.columnDefinitions[*].description",
        "13 body.columnDefinitions[*].description",
      ],
      "a CronJob gets its defaults, and is checked": [
        "2 body.columnDefinitions[*].description",
        "15 body.columnDefinitions[*].description",
      ],
      "a PodDisruptionBudget is checked": ["3 body.columnDefinitions[*].description"],
      "a PriorityClass is checked": ["2 body.columnDefinitions[*].description"],
      "a HorizontalPodAutoscaler is seen in both versions": [
        "7 body.columnDefinitions[*].description",
        "14 body.columnDefinitions[*].description",
      ],
      "Events are shown as tables": [
        "2 body.columnDefinitions[*].description",
        "3 body.columnDefinitions[*].description",
      ],
      "Leases are shown as tables": ["3 body.columnDefinitions[*].description"],
      "Namespaces are shown as tables": ["1 body.columnDefinitions[*].description"],
      "Secrets are shown as tables": ["2 body.columnDefinitions[*].description"],
      "a ConfigMap and a list of them are shown as tables": [
        "2 body.columnDefinitions[*].description",
        "3 body.columnDefinitions[*].description",
      ],
      "a create answers in the form that is asked for": ["2 body.columnDefinitions[*].description"],
      "a table carries what includeObject asks for": [
        "2 body.columnDefinitions[*].description",
        "3 body.columnDefinitions[*].description",
      ],
      "an empty table has columns": ["1 body.columnDefinitions[*].description"],
      "custom resources show their columns, by type": [
        "4 body.columnDefinitions[*].description",
        "5 body.columnDefinitions[*].description",
        "6 body.columnDefinitions[*].description",
      ],
      "custom resources without columns show name and age": [
        "2 body.columnDefinitions[*].description",
        "2 body.columnDefinitions[1].type",
      ],
      "definitions are shown as tables": ["1 body.columnDefinitions[*].description"],
      "a watch of tables sends the columns once": ["4 events[0].object.columnDefinitions[*].description"],
    },
  },
  {
    why: "A JSON patch that replaces the whole object and has no value makes a real server drop the connection; here it is refused.",
    places: {
      "a JSON patch may replace the whole object by another, and by nothing else": ["9", "16"],
    },
  },
];

/**
 * Everything in which the embedded cluster is known to differ from the recordings. An entry that no longer differs fails the test: the
 * list can only shrink.
 */
export const knownDifferences: readonly KnownDifference[] = reasons.flatMap(({ why, places }) =>
  Object.entries(places).flatMap(([name, found]) => found.map((at) => ({ case: name, at, why }))),
);

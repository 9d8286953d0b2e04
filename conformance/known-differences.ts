/** Why the embedded cluster differs from a real control plane. */
export interface Reason {
  /** Not implemented yet; a deliberate difference; or the same result with another message. */
  readonly group: "not implemented" | "different on purpose" | "wording";
  /** One sentence. */
  readonly why: string;
  /** Recorded request cases, by name: the paths that differ, as a failure prints them. A step alone (`2`) covers its whole response. */
  readonly requests?: Readonly<Record<string, readonly string[]>>;
  /** Recorded controller scenarios that differ, and the only paths at which they may; without `at`, all paths. */
  readonly controllers?: { readonly scenarios: readonly string[]; readonly at?: readonly string[] };
  /** kubectl and helm commands whose output differs, by chapter. */
  readonly kubectl?: {
    /** Lines ignored on both sides; the rest must be equal. Without it the whole output may differ. */
    readonly lines?: RegExp;
    readonly commands: Readonly<Record<string, readonly string[]>>;
  };
}

/** The same path in several steps; an empty path is the whole step. */
function at(place: string, ...steps: readonly number[]): string[] {
  return steps.map((step) => `${step} ${place}`.trim());
}

/**
 * Every known difference. A comparison fails when anything else differs, and when a listed difference no longer exists.
 * `docs/reference/differences.md` is generated from this list.
 */
export const reasons: readonly Reason[] = [
  {
    group: "not implemented",
    why: "Webhooks do not see empty labels, annotations, finalizers and ownerReferences of an apply to a custom resource.",
    requests: {
      "a webhook tests empty labels of an applied custom resource": ["1"],
    },
  },
  {
    group: "different on purpose",
    why: "managedFields stay if a conversion webhook returns a field that the version does not have. kube-apiserver removes all of them.",
    requests: {
      "an update whose conversion keeps a field that the stored version does not have": [
        "1 body.metadata.managedFields",
      ],
    },
  },
  {
    group: "not implemented",
    why: "The administrator has no uid.",
    requests: {
      "a CertificateSigningRequest is approved through the approval subresource": [
        "3 body.spec.uid",
        "4 body.spec.uid",
        "6 body.spec.uid",
      ],
    },
  },
  {
    group: "not implemented",
    why: "Responses in protobuf. Protobuf requests are decoded; clients that accept protobuf get JSON.",
    requests: {
      "a response is YAML if the client accepts it": ["2", "4"],
      "a client that accepts any media type gets JSON": ["3"],
    },
  },
  {
    group: "different on purpose",
    why: "List keys and set elements beyond 2^53 stay exact in managedFields. kube-apiserver reads them as doubles, and so rounds them with the next write.",
    requests: {
      "an apply owns fields by integers beyond 2^53": [
        "4 body.metadata.managedFields[0].fieldsV1.f:spec.f:list",
        "4 body.metadata.managedFields[0].fieldsV1.f:spec.f:set",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A CEL expression costs at least the work that it causes, so that one that prints or compares huge values is stopped within a second; kube-apiserver continues.",
  },
  {
    group: "different on purpose",
    why: "A JSON patch that replaces the whole object and has no value is rejected; a real server panics and drops the connection.",
    requests: {
      "a JSON patch may replace the whole object by another object only": ["9", "16"],
    },
  },
  {
    group: "different on purpose",
    why: "An event series keeps its first note, because controllers here write events.k8s.io/v1, whose note is immutable.",
    controllers: {
      at: ["Event Deployment web"],
      scenarios: [
        "a rolling update creates and deletes one pod at a time",
        "a rolling update with percentages rounds surge up and unavailability down",
        "a Deployment scaled during a rollout scales proportionally",

        "a Deployment rolled back to an earlier template gets a new revision",
        "a Deployment keeps old ReplicaSets up to its history limit",
        "a Deployment whose ReplicaSet name is in use raises collisionCount",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A pod that does not fit a new node gets its FailedScheduling event at once, not at the next scheduling attempt.",
    controllers: {
      at: ["Event Pod web-{hash1}-*", "Pod web-{hash1}-*"],
      scenarios: ["pods stay pending without nodes and are scheduled when nodes join"],
    },
  },
  {
    group: "different on purpose",
    why: "`kubectl version` shows that the server is Kubewright.",
    kubectl: {
      lines: /Server Version|gitVersion|gitCommit|goVersion|compiler|platform/,
      commands: { discovery: ["kubectl version", "kubectl version -o yaml", "kubectl get --raw /version"] },
    },
  },
  {
    group: "not implemented",
    why: "Responses in protobuf. Protobuf requests are decoded; clients that accept protobuf get JSON.",
    kubectl: {
      lines: /"items": (null|\[\])/,
      commands: { discovery: ["kubectl cluster-info dump --namespaces=discovery"] },
    },
  },
  {
    group: "not implemented",
    why: "Health checks of post-start hooks whose components do not exist here, the endpoints /flagz, /statusz and /debug, and serverAddressByClientCIDRs of /api.",
    kubectl: {
      lines: /poststarthook|loopback-serving-certificate|authentication|authorization|metrics|flagz|statusz/,
      commands: {
        discovery: [
          "kubectl get --raw /",
          "kubectl get --raw '/livez?verbose'",
          "kubectl get --raw '/readyz?verbose'",
          "kubectl get --raw '/healthz?verbose'",
        ],
      },
    },
  },
  {
    group: "not implemented",
    why: "Health checks of post-start hooks whose components do not exist here, the endpoints /flagz, /statusz and /debug, and serverAddressByClientCIDRs of /api.",
    kubectl: {
      commands: {
        discovery: ["kubectl get --raw /api"],
      },
    },
  },
  {
    group: "not implemented",
    why: "OpenAPI documents describe kinds and their paths, but not most subresources, /watch/ paths and API group roots.",
    kubectl: {
      commands: {
        discovery: [
          "kubectl get --raw /openapi/v3 | tr ',' '\\n' | sed 's/hash=[0-9A-F]*/hash/' | sort",
          'kubectl get --raw /openapi/v3/apis/apps/v1 | grep -o \'"/apis[^"]*"\' | sort',
          'kubectl get --raw /openapi/v3/api/v1 | grep -o \'"/api[^"]*"\' | sort',
          "kubectl get --raw /openapi/v2 | head -c 90",
        ],
      },
    },
  },
  {
    group: "different on purpose",
    why: "ServiceAccount tokens have another issuer and are signed with an elliptic-curve key.",
    kubectl: {
      commands: {
        discovery: [
          "kubectl get --raw /.well-known/openid-configuration",
          'kubectl get --raw /openid/v1/jwks | sed \'s/"[nek][id]*":"[^"]*"/X/g\'',
        ],
      },
    },
  },
  {
    group: "not implemented",
    why: "API server identity Leases, kube-apiserver's own ConfigMaps, and IPAddress objects of Services.",
    kubectl: {
      commands: {
        discovery: ["kubectl get cm,sa,secrets -A", "kubectl get leases -A", "kubectl get servicecidrs,ipaddresses"],
      },
    },
  },
  {
    group: "different on purpose",
    why: "Protection finalizers of PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses are added only where the controllers run that remove them (StorageObjectInUseProtection).",
    kubectl: {
      lines:
        /^ *Finalizers:|^ +kubernetes\.io\/vac-protection|^ +finalizers:$|^ +- kubernetes\.io\/(pv|pvc|vac)-protection$/,
      commands: {
        describe: [
          "kubectl describe pods,pvc,services,endpointslices,endpoints,ingresses",
          "kubectl describe node/describe-node csinode/describe-node pv/describe-volume sc/describe-class ingressclass/describe-class csidriver/describe.example.com volumeattachment/describe-attachment volumeattributesclass/describe-attributes runtimeclass/describe-runtime",
          "kubectl get -f objects.yaml -o yaml",
          "kubectl get -f objects.yaml -o yaml --show-managed-fields | grep -v ' time: '",
        ],
      },
    },
  },
  {
    group: "different on purpose",
    why: "Protection finalizers of PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses are added only where the controllers run that remove them (StorageObjectInUseProtection).",
    kubectl: {
      commands: { describe: ["kubectl get nodes,pv,pvc"] },
    },
  },
  {
    group: "not implemented",
    why: "An empty overhead of a pod is dropped when it is read: RuntimeClass does not reject it.",
    requests: { "a pod sets no overhead without a RuntimeClass that defines it": ["3"] },
  },
  {
    group: "different on purpose",
    why: "No client sends selfLink: the server drops it, also in the response to a dry run.",
    requests: {
      "an update that creates keeps metadata that a create would drop": ["3 body.metadata.selfLink"],
      "a selfLink sent with a status is returned by a dry run": at("body.metadata.selfLink", 8, 9, 10),
    },
  },
  {
    group: "different on purpose",
    why: "A JSON patch is parsed strictly by RFC 6902: a path without a leading slash is rejected, an operation of a wrong type is invalid, and its test compares values, not their string escapes.",
    requests: {
      "a JSON patch test compares serialized values": at("", 4, 5, 7, 10),
      "values of a JSON patch keep their serialized form": at("", 3, 7, 9, 12),
    },
  },
  {
    group: "different on purpose",
    why: "A JSON patch is parsed strictly by RFC 6902: a path without a leading slash is rejected, an operation of a wrong type is invalid, and its test compares values, not their string escapes.",
    requests: {
      "JSON patch operations are parsed as on a real server": at("", 5, 6, 24, 25),
    },
  },
  {
    group: "different on purpose",
    why: "apiVersion and kind are case-sensitive; in another case they are unknown fields.",
    requests: {
      "apiVersion and kind in another case are read in order": ["5"],
    },
  },
  {
    group: "different on purpose",
    why: "A null value of a bytes field is stored as empty bytes, so that a repeated write changes nothing.",
    requests: {
      "null bytes are stored as null and returned as empty": at("body", 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    },
  },
  {
    group: "different on purpose",
    why: "An integer that overflows its type is rejected, not truncated.",
    requests: {
      "a strategic merge patch truncates numbers that overflow": at("", 2, 3, 4, 5, 6),
      "a number that fits no integer becomes the smallest one": at("", 1, 2, 4),
    },
  },
  {
    group: "different on purpose",
    why: "A patched object without an apiVersion is decoded in the version of the request, not as a real server's internal type.",
    requests: {
      "a replaced built-in object without apiVersion is decoded as Go's internal type": at(
        "",
        ...[2, 3, 4, 5, 6, 7, 8, 10, 11],
      ),
      "a custom resource of another apiVersion or kind is rejected with its unknown fields": at("", 42, 44, 46, 53, 55),
    },
  },
  {
    group: "different on purpose",
    why: "An apply with empty metadata raises the resourceVersion, as on a real server; the next write without them does not.",
    requests: {
      "an apply of a custom resource with empty metadata raises the resourceVersion each time": at(
        "body.metadata.resourceVersion",
        ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
      ),
      "a second delete writes after an apply with empty metadata": at("body.metadata.resourceVersion", ...[4, 5, 6]),
    },
  },
  {
    group: "different on purpose",
    why: "A custom resource that does not match its schema keeps its managedFields; a real server drops them.",
    requests: {
      "a stored object that does not match its schema is reported before the applied configuration": [
        ...at("body.metadata.managedFields", 1, 8, 9, 11),
        "4",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A custom resource of another kind is rejected for its kind, and the rest is not validated.",
    requests: {
      "lists and embedded resources of an object of another kind are validated": at(
        "body.causes",
        ...[17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 35, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 52, 53],
        ...[55, 56, 57, 58, 59, 60, 61, 62, 63],
      ),
    },
  },
  {
    group: "different on purpose",
    why: "An empty list in the body of a create or an update gets no managedFields entry.",
    requests: {
      "objects of kinds without validation are stored": ["6 body.metadata.managedFields"],
      "fuzzed nodes, namespaces and other cluster objects are validated": ["8 body.metadata.managedFields"],
      "an empty list in the request is owned where a real server serializes it": at(
        "body.metadata.managedFields",
        ...[1, 2, 5, 10],
      ),
    },
  },
  {
    group: "different on purpose",
    why: "YAML is parsed by the yaml package: keys that are lists or maps become strings. Clients send JSON.",
    requests: {
      "malformed YAML is rejected with the parser's message": at("", 26, 29, 39, 47, 48),
      "YAML scalars are resolved as in Go": at("body.spec.v", 37, 50, 58),
      "the first of several YAML documents is used, and merge keys are applied": ["7 headers.warning"],
    },
  },
  {
    group: "not implemented",
    why: "API priority and fairness: FlowSchemas and PriorityLevelConfigurations are stored as given and have no effect; a new server has none.",
    kubectl: {
      commands: {
        discovery: [
          "kubectl get flowschemas,prioritylevelconfigurations -o name",
          "kubectl describe flowschema service-accounts",
          "kubectl describe prioritylevelconfiguration workload-low",
        ],
      },
    },
    requests: {
      "a new server has the default FlowSchemas and PriorityLevelConfigurations": at(
        "",
        1,
        2,
        3,
        4,
        5,
        6,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
      ),
      "a FlowSchema gets its defaults and is validated": ["1", "2", "3", "4", "5", "6"],
      "a PriorityLevelConfiguration gets its defaults and is validated": [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
      ],
      "fuzzed admission, flow control and quota objects are validated": ["3", "5 body.metadata.uid"],
    },
  },
  {
    group: "different on purpose",
    why: "An error names the volume source by its field; a real server misspells two of them.",
    requests: { "every volume source is validated": ["1 body.causes[20]", "1 body.causes[21]"] },
  },
  {
    group: "different on purpose",
    why: "The rows of a Table have one cell per column and all annotations of the object; a real server drops annotations that are fields of its internal type, and adds a cell to IPAddresses.",
    requests: {
      "a DaemonSet gets its defaults and is validated": [
        "2 body.rows[0].object.metadata.annotations",
        "14 body.rows[0].object.metadata.annotations",
      ],
      "every metric type round-trips through autoscaling/v1": ["3 body.rows[0].object.metadata.annotations"],
    },
  },
  {
    group: "different on purpose",
    why: "The rows of a Table have one cell per column and all annotations of the object; a real server drops annotations that are fields of its internal type, and adds a cell to IPAddresses.",
    requests: { "IPAddresses and ServiceCIDRs are served": ["8 body.rows[0].cells"] },
  },
  {
    group: "different on purpose",
    why: "A write to a Scale tracks managedFields as any other write does, and is not stored if it changes nothing; a real server drops the time of the previous manager's entry, and stores entries in another order.",
    requests: {
      "the Scale of a Deployment is read and written": ["5 body.metadata.managedFields[1].time"],
      "the Scale of a custom resource is read and written": ["6 body.metadata.managedFields[1].time"],
      "a ReplicaSet gets its defaults and is validated": ["15 body.metadata.managedFields[1].time"],
    },
  },
  {
    group: "different on purpose",
    why: "A client that sets the replicas of a custom resource for the first time through its Scale owns them; a real server records no owner, and fails for an apply.",
    requests: {
      "a custom resource without replicas is scaled from zero by every type of patch": [
        "6 body.metadata.managedFields",
        "9 body.metadata.managedFields",
        "13 body.metadata.managedFields",
        "15",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A write to a Scale tracks managedFields as any other write does, and is not stored if it changes nothing; a real server drops the time of the previous manager's entry, and stores entries in another order.",
    requests: {
      "a Scale without changes may reorder managedFields of ports, and the next write restores the order": [
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
        "11",
        "12",
      ].map((step) => `${step} body.metadata.resourceVersion`),
    },
  },
  {
    group: "different on purpose",
    why: "Empty data of an immutable Secret and empty binaryData of an immutable ConfigMap equal absent ones; a real server rejects them.",
    requests: { "empty data are a change of an immutable object": ["2", "5 body.causes"] },
  },
  {
    group: "different on purpose",
    why: "The RE2 port used here rejects a pattern with two groups of the same name.",
    requests: { "patterns are parsed as RE2": ["16"] },
  },
  {
    group: "different on purpose",
    why: "The check digits of the formats isbn and creditcard are not verified: no Kubernetes API has such fields.",
    requests: { "formats are enforced by the server's list": ["56", "58", "60", "62", "63"] },
  },
  {
    group: "wording",
    why: "A conflict with a write to a Scale names the version of the object, not autoscaling/v1.",
    requests: {
      "an apply of the Scale owns the replicas": ["2 body.causes", "2 body.message"],
      "other fields of a Deployment are validated": ["9 body.causes", "9 body.message"],
    },
  },
  {
    group: "wording",
    why: "A rejection quotes values as JSON and lists the changed paths; a real server prints Go structs and their difference.",
    kubectl: {
      commands: {
        apply: ["kubectl apply -f pod-2.yaml", "kubectl diff -f pod-2.yaml", "kubectl apply -f ."],
        change: ["kubectl replace -f pod-2.yaml", "kubectl replace -f pod-env.yaml"],
        custom: ["kubectl apply -f broken-definition.yaml"],
        errors: [
          'kubectl create rolebinding r --role=missing --user=u && kubectl patch rolebinding r --type=merge -p \'{"roleRef":{"name":"x"}}\'',
        ],
        more: [
          "kubectl apply -f job.yaml && kubectl apply -f job-2.yaml",
          "kubectl apply -f claim.yaml && kubectl apply -f claim-2.yaml 2>&1 | head -3",
        ],
        workloads: ["kubectl set env pod/one A=b"],
      },
    },
  },
  {
    group: "wording",
    why: "Malformed JSON is rejected with the parser's own message, and a value of a wrong type without the name of its Go type.",
    kubectl: {
      commands: {
        change: [
          "kubectl replace --raw /api/v1/namespaces/change/configmaps/m -f cm.yaml",
          "kubectl create --raw /api/v1/namespaces/change/configmaps -f cm.yaml",
        ],
        errors: ["kubectl apply -f pod-2.yaml"],
        more: [
          "kubectl replace --raw /apis/apps/v1/namespaces/more/deployments/web/scale -f scale.yaml",
          "kubectl create --raw /api/v1/namespaces/more/pods/loose/binding -f binding.yaml",
        ],
      },
    },
  },
];

/** Request cases that differ: the name of the case, and the path. */
export const requestDifferences = reasons.flatMap(({ requests = {} }) =>
  Object.entries(requests).flatMap(([name, places]) => places.map((at) => ({ case: name, at }))),
);

/** A scenario that differs, and the paths at which it may; without `at`, all paths. */
export interface ScenarioDifference {
  readonly scenario: string;
  readonly at?: readonly string[];
}

/** Controller scenarios that differ. */
export const scenarioDifferences: readonly ScenarioDifference[] = reasons.flatMap(({ controllers }) =>
  (controllers?.scenarios ?? []).map((scenario) => ({ scenario, ...(controllers?.at && { at: controllers.at }) })),
);

/** Commands that differ. */
export const commandDifferences = reasons.flatMap(({ kubectl }) => (kubectl ? [kubectl] : []));

/** Why the embedded cluster differs from a real control plane. */
export interface Reason {
  /** Not there yet; different although it could be the same; or the same verdict in other words. */
  readonly group: "not implemented" | "different on purpose" | "wording";
  /** One sentence. */
  readonly why: string;
  /** Recorded request cases, by name: the places that differ, as a failure prints them. A step alone (`2`) covers its whole response. */
  readonly requests?: Readonly<Record<string, readonly string[]>>;
  /** Recorded controller scenarios that differ, and the only places in which they may; without `at`, all places. */
  readonly controllers?: { readonly scenarios: readonly string[]; readonly at?: readonly string[] };
  /** Commands of kubectl and helm that print something else, by chapter. */
  readonly kubectl?: {
    /** Lines that are left out on both sides; what remains must be equal. Without it the whole output may differ. */
    readonly lines?: RegExp;
    readonly commands: Readonly<Record<string, readonly string[]>>;
  };
}

/** The same place in several steps; an empty place is the whole step. */
function at(place: string, ...steps: readonly number[]): string[] {
  return steps.map((step) => `${step} ${place}`.trim());
}

/**
 * Every known difference. A comparison fails when something else differs, and when something listed here does not differ any more.
 * `docs/reference/differences.md` is written from this list.
 */
export const reasons: readonly Reason[] = [
  {
    group: "not implemented",
    why: "CEL is not evaluated: admission policies and CRDs with CEL rules are rejected, or accepted without effect when the cluster is started so.",
    requests: {
      "the form of a policy is checked": ["7"],
    },
  },
  {
    group: "not implemented",
    why: "The administrator has no uid.",
    requests: {
      "a CertificateSigningRequest is approved on a path of its own": [
        "3 body.spec.uid",
        "4 body.spec.uid",
        "6 body.spec.uid",
      ],
    },
  },
  {
    group: "not implemented",
    why: "CEL is not evaluated: admission policies and CRDs with CEL rules are rejected, or accepted without effect when the cluster is started so.",
    requests: {
      "rules in CEL are checked when they are defined": ["1"],
    },
  },
  {
    group: "not implemented",
    why: "Responses in protobuf. Requests in protobuf are read; clients that ask for protobuf get JSON.",
    requests: {
      "an answer is written in YAML where that is asked for": ["2", "4"],
      "any form is JSON": ["3"],
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
    why: "A JSON patch that replaces the whole object and has no value is rejected; a real server panics and drops the connection.",
    requests: {
      "a JSON patch may replace the whole object by another, and by nothing else": ["9", "16"],
    },
  },
  {
    group: "different on purpose",
    why: "An event series keeps its first note, because controllers here write events.k8s.io/v1, whose note is immutable.",
    controllers: {
      at: ["Event Deployment web"],
      scenarios: [
        "a rolling update adds one pod and removes one at a time",
        "a rolling update with percentages rounds surge up and unavailability down",
        "a Deployment that is scaled while it rolls grows in proportion",

        "a Deployment goes back to a template it had, and counts its revisions on",
        "a Deployment keeps as many old ReplicaSets as its history limit says",
        "a Deployment whose ReplicaSet's name is taken counts the collision",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A pod that does not fit on a new node gets its FailedScheduling event at once, not at the next attempt.",
    controllers: {
      at: ["Event Pod web-{hash1}-*", "Pod web-{hash1}-*"],
      scenarios: ["pods wait while there is no node, and are placed when nodes come"],
    },
  },
  {
    group: "not implemented",
    why: "RBAC: members of system:masters may do everything, other users only use discovery; the default ClusterRoles and bindings do not exist.",
    kubectl: {
      commands: {
        discovery: [
          "kubectl get clusterroles",
          "kubectl get clusterrolebindings -o wide",
          "kubectl get roles,rolebindings -A",
          "kubectl describe clusterrole view",
        ],
        nodes: ["kubectl auth can-i --list"],
      },
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
    why: "Responses in protobuf. Requests in protobuf are read; clients that ask for protobuf get JSON.",
    kubectl: {
      lines: /"items": (null|\[\])/,
      commands: { discovery: ["kubectl cluster-info dump --namespaces=discovery"] },
    },
  },
  {
    group: "not implemented",
    why: "Health checks of post-start hooks, and the pages /flagz, /statusz and /debug.",
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
    why: "serverAddressByClientCIDRs of /api.",
    kubectl: {
      commands: {
        discovery: ["kubectl get --raw /api"],
      },
    },
  },
  {
    group: "not implemented",
    why: "OpenAPI documents describe kinds and their paths, but not most subresources, /watch/ paths and group roots.",
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
    why: "ServiceAccount tokens have another issuer and an elliptic-curve key.",
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
    why: "Leases of API server identity, kube-apiserver's own ConfigMaps, and IPAddress objects of Services.",
    kubectl: {
      commands: {
        discovery: ["kubectl get cm,sa,secrets -A", "kubectl get leases -A", "kubectl get servicecidrs,ipaddresses"],
      },
    },
  },
  {
    group: "different on purpose",
    why: "Protection finalizers of PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses are added only where the controllers run that remove them (`protectVolumes`).",
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
    why: "Protection finalizers of PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses are added only where the controllers run that remove them (`protectVolumes`).",
    kubectl: {
      commands: { describe: ["kubectl get nodes,pv,pvc"] },
    },
  },
  {
    group: "different on purpose",
    why: "No client sends selfLink: the server drops it, also in the response to a dry run.",
    requests: {
      "an update that creates keeps metadata that a create would leave out": ["3 body.metadata.selfLink"],
      "a link that is sent with a status comes back where nothing is stored": at("body.metadata.selfLink", 8, 9, 10),
    },
  },
  {
    group: "different on purpose",
    why: "The test operation of a JSON patch compares values, not how their strings are escaped.",
    requests: {
      "a test of a JSON patch compares its text with what Go writes": at("", 4, 5, 7, 10),
      "what a JSON patch brings keeps the spelling in which it was sent": at("", 3, 7, 9, 12),
    },
  },
  {
    group: "different on purpose",
    why: "A JSON patch is read by RFC 6902: a path without a leading slash is rejected, and an operation of a wrong type is invalid.",
    requests: {
      "operations of a JSON patch are taken as the server takes them": at("", 5, 6, 24, 25),
    },
  },
  {
    group: "different on purpose",
    why: "Only apiVersion and kind in this spelling name the type of an object; in other letters they are unknown fields.",
    requests: {
      "names of types in other letters are read by their order": ["5"],
    },
  },
  {
    group: "different on purpose",
    why: "Null bytes are stored as empty ones, so that a write that repeats them changes nothing.",
    requests: {
      "null bytes are stored as such, and shown as empty ones": at("body", 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    },
  },
  {
    group: "different on purpose",
    why: "An integer that does not fit its type is rejected, not cut to its bits.",
    requests: {
      "numbers that do not fit are cut by a strategic merge patch": at("", 2, 3, 4, 5, 6),
      "a number that fits no integer is the least one": at("", 1, 2, 4),
    },
  },
  {
    group: "different on purpose",
    why: "A patched object without an apiVersion keeps the version of the request, not a real server's internal type.",
    requests: {
      "what replaces a whole object of a built-in kind without a version is read as Go's own struct, metadata and all":
        at("", ...[2, 3, 4, 5, 6, 7, 8, 10, 11]),
      "a custom resource that says it is something else is told what it has too much": at("", 42, 44, 46, 53, 55),
    },
  },
  {
    group: "different on purpose",
    why: "An apply with empty metadata raises the resourceVersion, as on a real server; the next write without them does not.",
    requests: {
      "metadata without effect in the configuration of a custom resource are a change each time": at(
        "body.metadata.resourceVersion",
        ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
      ),
      "a second delete writes where an apply left something without effect": at(
        "body.metadata.resourceVersion",
        ...[4, 5, 6],
      ),
    },
  },
  {
    group: "different on purpose",
    why: "A custom resource that does not fit its merge schema has managedFields all the same.",
    requests: {
      "a stored object that does not fit its type, and so has no owners, is told of before the configuration": [
        ...at("body.metadata.managedFields", 1, 8, 9, 11),
        "4",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A custom resource of another kind is rejected for its kind, without a look at the rest.",
    requests: {
      "of another kind, lists and embedded resources are held to the schema all the same": at(
        "body.causes",
        ...[17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 35, 38, 39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 52, 53],
        ...[55, 56, 57, 58, 59, 60, 61, 62, 63],
      ),
    },
  },
  {
    group: "different on purpose",
    why: "An empty list in the body of a create or an update has no field manager.",
    requests: {
      "objects of kinds without rules of their own are stored": ["6 body.metadata.managedFields"],
      "what the cluster is made of is disturbed": ["8 body.metadata.managedFields"],
      "an empty list that is sent has an owner where a real server prints it": at(
        "body.metadata.managedFields",
        ...[1, 2, 5, 10],
      ),
    },
  },
  {
    group: "different on purpose",
    why: "YAML is read by the yaml package: keys that are lists or maps become strings, and clients send JSON.",
    requests: {
      "malformed YAML is refused in the words of its reader": at("", 26, 29, 39, 47, 48),
      "words of YAML mean what they mean to Go": at("body.spec.v", 37, 50, 58),
      "of several documents the first counts, and maps are merged": ["7 headers.warning"],
    },
  },
  {
    group: "not implemented",
    why: "API priority and fairness: FlowSchemas and PriorityLevelConfigurations are stored as given and have no effect; a fresh server has none.",
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
      "a fresh server shares itself fairly": at(
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
      "a FlowSchema gets its defaults, and is checked": ["1", "2", "3", "4", "5", "6"],
      "a PriorityLevelConfiguration gets its defaults, and is checked": [
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
      "who may do what is disturbed": ["3", "5 body.metadata.uid"],
    },
  },
  {
    group: "different on purpose",
    why: "An error names the volume source by its field; a real server misspells two of them.",
    requests: { "every source of a volume is checked": ["1 body.causes[20]", "1 body.causes[21]"] },
  },
  {
    group: "different on purpose",
    why: "The rows of a table carry all annotations of the object; a real server drops those that its internal type has as fields.",
    requests: {
      "a DaemonSet gets its defaults, and is checked": [
        "2 body.rows[0].object.metadata.annotations",
        "14 body.rows[0].object.metadata.annotations",
      ],
      "every sort of metric and of current metric is seen in the old version, and comes back": [
        "3 body.rows[0].object.metadata.annotations",
      ],
    },
  },
  {
    group: "different on purpose",
    why: "A row has a cell for each column; a real server adds one more to the rows of IPAddresses.",
    requests: { "addresses and ranges of Services are objects": ["8 body.rows[0].cells"] },
  },
  {
    group: "different on purpose",
    why: "A write to a Scale tracks managedFields as any other write does; a real server drops the time of the previous manager's entry.",
    requests: {
      "the scale of a Deployment is read and written": ["5 body.metadata.managedFields[1].time"],
      "the scale of a custom resource is read and written": ["6 body.metadata.managedFields[1].time"],
      "a ReplicaSet gets its defaults, and is checked": ["15 body.metadata.managedFields[1].time"],
    },
  },
  {
    group: "different on purpose",
    why: "The client that scales a custom resource from no replicas owns them; a real server records no owner, and fails for an apply.",
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
    why: "A write to a Scale that changes nothing is not stored; a real server stores managedFields in another order, which is a new resourceVersion.",
    requests: {
      "a scale that changes nothing may store the owners of ports in another order, and the next write puts it back": [
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
    why: "A pattern that gives two groups the same name is rejected by the RE2 port that is used here.",
    requests: { "patterns are read as RE2 reads them": ["16"] },
  },
  {
    group: "different on purpose",
    why: "The check digits of ISBNs and payment cards are not computed: no Kubernetes API has such fields.",
    requests: { "formats are held by the server's own list": ["56", "58", "60", "62", "63"] },
  },
  {
    group: "wording",
    why: "A conflict with a write to a Scale names the version of the object, not autoscaling/v1.",
    requests: {
      "an apply of the scale owns the replicas": ["2 body.causes", "2 body.message"],
      "more of a Deployment is checked": ["9 body.causes", "9 body.message"],
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

/** Request cases that differ: the name of the case, and the place. */
export const requestDifferences = reasons.flatMap(({ requests = {} }) =>
  Object.entries(requests).flatMap(([name, places]) => places.map((at) => ({ case: name, at }))),
);

/** A scenario that differs, and the places in which it may; without them, all. */
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

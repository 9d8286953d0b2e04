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
    why: "The administrator has a name and groups, but no uid and no extra fields.",
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
      at: ["Event Pod web-6b89d9595-*", "Pod web-6b89d9595-*"],
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
    group: "not implemented",
    why: "The administrator has a name and groups, but no uid and no extra fields.",
    kubectl: {
      lines: /^ +(extra:|authentication\.kubernetes\.io\/credential-id:|- X509SHA256=.*)$/,
      commands: { nodes: ["kubectl get csr nodes-one nodes-two -o yaml | grep -v 'request:'"] },
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
    why: "serverAddressByClientCIDRs of /api, and metrics of the API server.",
    kubectl: {
      commands: {
        discovery: [
          "kubectl get --raw /api",
          "kubectl get --raw /metrics | grep -c '^apiserver_request_total' | sed 's/[1-9][0-9]*/many/'",
        ],
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
    group: "not implemented",
    why: "API priority and fairness: FlowSchemas and PriorityLevelConfigurations are stored and have no effect.",
    kubectl: {
      commands: {
        describe: ["kubectl get flowschemas describe-flow -o wide", "kubectl describe flowschemas describe-flow"],
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

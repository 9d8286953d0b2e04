/** Commands that print something else on the embedded cluster, and why they may. */
export interface KnownDifference {
  readonly why: string;
  /** Lines that are left out on both sides; what remains must be the same. Without it the whole output may differ. */
  readonly lines?: RegExp;
  /** By chapter, as they stand there. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

const structure = "grep -P '^(GROUP|KIND|VERSION|FIELD)|\\t<|^error|ENUM'";

/** It should shrink: a command that is listed and prints the same fails the test. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    why: "Reviews of who one is and what one may do are not served yet.",
    lines: /^(\S*(accessreview|subjectreview|rulesreview|tokenreview)s\b|(authentication|authorization)\.k8s\.io\/v1$)/,
    commands: {
      discovery: [
        "kubectl api-resources",
        "kubectl api-resources -o wide",
        "kubectl api-resources --verbs=create --namespaced=false",
        "kubectl api-resources --sort-by=name",
        "kubectl api-resources --sort-by=kind --no-headers",
        "kubectl api-versions",
      ],
    },
  },
  {
    why: "The same, in what is asked of them.",
    commands: {
      discovery: ["kubectl get --raw /apis"],
      explain: ["tokenreviews", "localsubjectaccessreviews"].map(
        (kind) => `kubectl explain ${kind} 2>&1 | ${structure}`,
      ),
      nodes: [
        "kubectl auth whoami",
        "kubectl auth whoami -o yaml",
        "kubectl auth can-i create pods",
        "kubectl auth can-i get pods --subresource=log",
        "kubectl auth can-i '*' '*'",
        "kubectl auth can-i --list",
        "kubectl auth can-i get /healthz",
        "kubectl auth can-i get nothing",
        "kubectl auth can-i list pods --as=nobody",
        "kubectl auth can-i list pods --as=nobody -q",
      ],
    },
  },
  {
    why: "Whoever is let in may do everything, also in the name of others; Kubernetes' own roles come with what reads them.",
    commands: {
      discovery: [
        "kubectl get clusterroles",
        "kubectl get clusterrolebindings -o wide",
        "kubectl get roles,rolebindings -A",
        "kubectl describe clusterrole view",
      ],
      nodes: ["kubectl get pods --as=nobody"],
    },
  },
  {
    why: "What is known of a user is the name and the groups.",
    lines: /^ +(extra:|authentication\.kubernetes\.io\/credential-id:|- X509SHA256=.*)$/,
    commands: { nodes: ["kubectl get csr nodes-one nodes-two -o yaml | grep -v 'request:'"] },
  },
  {
    why: "The server says which server it is.",
    lines: /Server Version|gitVersion|gitCommit|goVersion|compiler|platform/,
    commands: { discovery: ["kubectl version", "kubectl version -o yaml", "kubectl get --raw /version"] },
  },
  {
    why: "Programs that ask for protobuf get JSON, in which an empty list is a list.",
    lines: /"items": (null|\[\])/,
    commands: { discovery: ["kubectl cluster-info dump --namespaces=discovery"] },
  },
  {
    why: "Checks of what this server does not have, and pages about its inside, are not there.",
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
  {
    why: "The server does not know the addresses by which it is reached, and has no metrics of its own.",
    commands: {
      discovery: [
        "kubectl get --raw /api",
        "kubectl get --raw /metrics | grep -c '^apiserver_request_total' | sed 's/[1-9][0-9]*/many/'",
      ],
    },
  },
  {
    why: "Schemas are published of kinds and their paths, not of most subresources, old forms of watches, and the roots of groups.",
    commands: {
      discovery: [
        "kubectl get --raw /openapi/v3 | tr ',' '\\n' | sed 's/hash=[0-9A-F]*/hash/' | sort",
        'kubectl get --raw /openapi/v3/apis/apps/v1 | grep -o \'"/apis[^"]*"\' | sort',
        'kubectl get --raw /openapi/v3/api/v1 | grep -o \'"/api[^"]*"\' | sort',
        "kubectl get --raw /openapi/v2 | head -c 90",
      ],
    },
  },
  {
    why: "Tokens have another issuer and another sort of key.",
    commands: {
      discovery: [
        "kubectl get --raw /.well-known/openid-configuration",
        'kubectl get --raw /openid/v1/jwks | sed \'s/"[nek][id]*":"[^"]*"/X/g\'',
      ],
    },
  },
  {
    why: "What several API servers of one cluster tell each other is not there, nor are addresses of Services as objects.",
    commands: {
      discovery: ["kubectl get cm,sa,secrets -A", "kubectl get leases -A", "kubectl get servicecidrs,ipaddresses"],
    },
  },
  {
    why: "The finalizers that protect volumes and claims in use come with the controllers that take them off.",
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
  {
    why: "The same: on a real server they wait for those controllers.",
    commands: { describe: ["kubectl get nodes,pv,pvc"] },
  },
];

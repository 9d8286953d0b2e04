import type {
  FlowSchema,
  NonResourcePolicyRule,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from "kubewright/k8s/flowcontrol/v1";
import type { Drafted } from "../../decoded.js";

const everything: readonly Drafted<ResourcePolicyRule>[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
];
const everyPath: readonly Drafted<NonResourcePolicyRule>[] = [{ verbs: ["*"], nonResourceURLs: ["*"] }];
const everyone = ["system:unauthenticated", "system:authenticated"].map(group);

function group(name: string): Drafted<Subject> {
  return { kind: "Group", group: { name } };
}

function user(name: string): Drafted<Subject> {
  return { kind: "User", user: { name } };
}

function accountsOf(namespace: string): Drafted<Subject> {
  return { kind: "ServiceAccount", serviceAccount: { name: "*", namespace } };
}

interface Flow {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly by?: "ByUser" | "ByNamespace";
  readonly subjects: readonly Drafted<Subject>[];
  /** @default everything */
  readonly resources?: readonly Drafted<ResourcePolicyRule>[];
  /** @default every path */
  readonly paths?: readonly Drafted<NonResourcePolicyRule>[];
}

const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], namespaces: ["*"] };
const elected: readonly Drafted<ResourcePolicyRule>[] = [{ ...leases, verbs: ["get", "create", "update"] }];

const flows: readonly Flow[] = [
  { name: "exempt", level: "exempt", precedence: 1, subjects: [group("system:masters")] },
  {
    name: "probes",
    level: "exempt",
    precedence: 2,
    subjects: everyone,
    resources: [],
    paths: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
  },
  {
    name: "system-leader-election",
    level: "leader-election",
    precedence: 100,
    by: "ByUser",
    subjects: [user("system:kube-controller-manager"), user("system:kube-scheduler"), accountsOf("kube-system")],
    resources: elected,
    paths: [],
  },
  {
    name: "system-node-high",
    level: "node-high",
    precedence: 400,
    by: "ByUser",
    subjects: [group("system:nodes")],
    resources: [
      { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ["*"] },
      { ...leases, verbs: ["*"] },
    ],
    paths: [],
  },
  { name: "system-nodes", level: "system", precedence: 500, by: "ByUser", subjects: [group("system:nodes")] },
  {
    name: "kube-controller-manager",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: [user("system:kube-controller-manager")],
  },
  {
    name: "kube-scheduler",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: [user("system:kube-scheduler")],
  },
  {
    name: "kube-system-service-accounts",
    level: "workload-high",
    precedence: 900,
    by: "ByNamespace",
    subjects: [accountsOf("kube-system")],
  },
  {
    name: "service-accounts",
    level: "workload-low",
    precedence: 9000,
    by: "ByUser",
    subjects: [group("system:serviceaccounts")],
  },
  { name: "global-default", level: "global-default", precedence: 9900, by: "ByUser", subjects: everyone },
  { name: "catch-all", level: "catch-all", precedence: 10_000, by: "ByUser", subjects: everyone },
];

/** The limits of each PriorityLevelConfiguration. */
const levels: Readonly<Record<string, readonly [shares: number, lendable: number, queues: number, hand: number]>> = {
  system: [30, 33, 64, 6],
  "node-high": [40, 25, 64, 6],
  "leader-election": [10, 0, 16, 4],
  "workload-high": [40, 50, 128, 6],
  "workload-low": [100, 90, 128, 6],
  "global-default": [20, 50, 128, 6],
};

const annotations = { "apf.kubernetes.io/autoupdate-spec": "true" };

/** The FlowSchemas of a fresh server. `time` is now. */
export function defaultFlowSchemas(time: string): Drafted<FlowSchema>[] {
  return flows.map(({ name, level, precedence, by, subjects, resources = everything, paths = everyPath }) => ({
    metadata: { name, annotations: { ...annotations } },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
      rules: [
        {
          subjects: [...subjects],
          ...(resources.length === 0 ? {} : { resourceRules: [...resources] }),
          ...(paths.length === 0 ? {} : { nonResourceRules: [...paths] }),
        },
      ],
    },
    status: {
      conditions: [
        {
          type: "Dangling",
          status: "False",
          lastTransitionTime: time,
          reason: "Found",
          message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
        },
      ],
    },
  }));
}

/** The PriorityLevelConfigurations of a fresh server. */
export function defaultPriorityLevels(): Drafted<PriorityLevelConfiguration>[] {
  const made = Object.entries(levels).map(([name, [shares, lendable, queues, hand]]) => {
    const queuing = { queues, handSize: hand, queueLengthLimit: 50 };
    const limitResponse = { type: "Queue", queuing };
    return levelOf(name, {
      type: "Limited",
      limited: { nominalConcurrencyShares: shares, lendablePercent: lendable, limitResponse },
    });
  });
  return [
    levelOf("exempt", { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
    ...made,
    levelOf("catch-all", {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
    }),
  ];
}

function levelOf(name: string, spec: Drafted<PriorityLevelConfigurationSpec>): Drafted<PriorityLevelConfiguration> {
  return { metadata: { name, annotations: { ...annotations } }, spec, status: {} };
}

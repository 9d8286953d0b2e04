import { type GoodKind, goodKind } from "./good-kind.js";
import { goodConditions } from "./good-pod-template.js";

/** What the cluster is made of, and what bounds its users. */
export const goodCluster: readonly GoodKind[] = [
  goodKind({
    version: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    seesEmpty: true,
    plural: "horizontalpodautoscalers",
    objects: [
      { spec: { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" }, maxReplicas: 3 } },
      {
        spec: {
          scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
          minReplicas: 2,
          maxReplicas: 5,
          metrics: [
            { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
            {
              type: "ContainerResource",
              containerResource: {
                name: "memory",
                container: "main",
                target: { type: "AverageValue", averageValue: "1Gi" },
              },
            },
            {
              type: "Pods",
              pods: {
                metric: { name: "rps", selector: { matchLabels: { a: "b" } } },
                target: { type: "AverageValue", averageValue: "10" },
              },
            },
            {
              type: "Object",
              object: {
                describedObject: { kind: "Ingress", name: "i", apiVersion: "networking.k8s.io/v1" },
                metric: { name: "rps" },
                target: { type: "Value", value: "10k" },
              },
            },
            {
              type: "External",
              external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } },
            },
          ],
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 5,
              selectPolicy: "Max",
              policies: [
                { type: "Pods", value: 4, periodSeconds: 15 },
                { type: "Percent", value: 100, periodSeconds: 15 },
              ],
            },
            scaleDown: { selectPolicy: "Disabled", policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] },
          },
        },
      },
    ],
    statuses: [
      {
        observedGeneration: 1,
        lastScaleTime: "2026-01-01T00:00:00Z",
        currentReplicas: 2,
        desiredReplicas: 3,
        currentMetrics: [
          { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 5, averageValue: "5m" } } },
        ],
        conditions: goodConditions,
      },
    ],
  }),
  goodKind({
    version: "policy/v1",
    kind: "PodDisruptionBudget",
    plural: "poddisruptionbudgets",
    objects: [
      { spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } } },
      {
        spec: {
          maxUnavailable: "30%",
          selector: { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
          unhealthyPodEvictionPolicy: "AlwaysAllow",
        },
      },
    ],
    statuses: [
      {
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: 1,
        expectedPods: 2,
        observedGeneration: 1,
        disruptedPods: { p: "2026-01-01T00:00:00Z" },
        conditions: goodConditions,
      },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "ResourceQuota",
    plural: "resourcequotas",
    objects: [
      { spec: { hard: { services: "5" } } },
      {
        spec: {
          hard: { pods: "3", "requests.cpu": "1", "limits.memory": "1Gi", "requests.example.com/gpu": "2" },
          scopeSelector: {
            matchExpressions: [
              { scopeName: "PriorityClass", operator: "In", values: ["high"] },
              { scopeName: "NotBestEffort", operator: "Exists" },
            ],
          },
        },
      },
      {
        spec: {
          hard: {
            "count/deployments.apps": "3",
            "requests.storage": "1Gi",
            "fast.storageclass.storage.k8s.io/requests.storage": "1Gi",
            persistentvolumeclaims: "5",
          },
        },
      },
      { spec: { hard: { pods: "1" }, scopes: ["BestEffort", "NotTerminating"] } },
    ],
    statuses: [{ hard: { pods: "3", "requests.cpu": "1" }, used: { pods: "1", "requests.cpu": "500m" } }],
    isEffective: true,
  }),
  goodKind({
    version: "v1",
    kind: "LimitRange",
    plural: "limitranges",
    objects: [
      { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } },
      {
        spec: {
          limits: [
            {
              type: "Container",
              max: { cpu: "4", memory: "4Gi" },
              min: { cpu: "1m", memory: "1Mi" },
              default: { cpu: "2", memory: "1Gi" },
              defaultRequest: { cpu: "1", memory: "512Mi" },
              maxLimitRequestRatio: { cpu: "4" },
            },
            { type: "Pod", max: { cpu: "8" }, min: { cpu: "2" } },
            { type: "PersistentVolumeClaim", max: { storage: "2Gi" }, min: { storage: "1Gi" } },
          ],
        },
      },
    ],
    isEffective: true,
  }),
  goodKind({
    version: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    plural: "priorityclasses",
    clusterName: "{ns}-a",
    objects: [{ value: 5 }, { value: 1000, globalDefault: false, description: "d", preemptionPolicy: "Never" }],
    isEffective: true,
  }),
  goodKind({
    version: "coordination.k8s.io/v1",
    kind: "Lease",
    plural: "leases",
    objects: [
      { spec: {} },
      {
        spec: {
          holderIdentity: "h",
          leaseDurationSeconds: 10,
          acquireTime: "2001-01-01T00:00:00.000000Z",
          renewTime: "2001-01-01T00:00:00.000000Z",
          leaseTransitions: 2,
        },
      },
      { spec: { strategy: "OldestEmulationVersion", preferredHolder: "x", holderIdentity: "h" } },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "Event",
    plural: "events",
    objects: [
      { involvedObject: { namespace: "{ns}", kind: "Pod", name: "p" }, reason: "R", message: "m", type: "Normal" },
      {
        involvedObject: { namespace: "{ns}", kind: "Pod", name: "p", apiVersion: "v1", uid: "u", fieldPath: "f" },
        reason: "R",
        message: "m",
        type: "Warning",
        source: { component: "c", host: "h" },
        firstTimestamp: "2001-01-01T00:00:00Z",
        lastTimestamp: "2001-01-01T00:00:00Z",
        count: 3,
      },
      {
        involvedObject: { namespace: "{ns}", kind: "Pod", name: "p" },
        eventTime: "2001-01-01T00:00:00.000000Z",
        reportingComponent: "example.com/c",
        reportingInstance: "i",
        action: "A",
        reason: "R",
        type: "Normal",
        series: { count: 2, lastObservedTime: "2001-01-01T00:00:00.000000Z" },
        related: { kind: "Node", name: "n" },
      },
    ],
  }),
  goodKind({
    version: "events.k8s.io/v1",
    kind: "Event",
    plural: "events",
    objects: [
      {
        eventTime: "2001-01-01T00:00:00.000000Z",
        reportingController: "example.com/c",
        reportingInstance: "i",
        action: "A",
        reason: "R",
        type: "Normal",
        regarding: { namespace: "{ns}", kind: "Pod", name: "p" },
        related: { kind: "Node", name: "n" },
        note: "n",
        series: { count: 2, lastObservedTime: "2001-01-01T00:00:00.000000Z" },
      },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "Node",
    plural: "nodes",
    clusterName: "{ns}-a",
    objects: [
      {},
      {
        metadata: { labels: { a: "b" } },
        spec: {
          podCIDR: "10.3.0.0/24",
          podCIDRs: ["10.3.0.0/24", "fd00:3::/64"],
          providerID: "p",
          unschedulable: true,
          taints: [
            { key: "k", value: "v", effect: "NoSchedule", timeAdded: "2026-01-01T00:00:00Z" },
            { key: "e", effect: "NoExecute" },
          ],
        },
      },
    ],
    statuses: [
      {
        capacity: { cpu: "4", memory: "8Gi", pods: "110", "hugepages-2Mi": "4Mi" },
        allocatable: { cpu: "3", memory: "7Gi", pods: "110" },
        conditions: goodConditions,
        addresses: [
          { type: "InternalIP", address: "10.2.0.1" },
          { type: "Hostname", address: "h" },
        ],
        nodeInfo: { kubeletVersion: "v1.36.4", osImage: "Linux", machineID: "m" },
        images: [{ names: ["a:1"], sizeBytes: 5 }],
        volumesInUse: ["v"],
        volumesAttached: [{ name: "v", devicePath: "d" }],
        config: { assigned: { configMap: { namespace: "n", name: "a", uid: "u", kubeletConfigKey: "k" } } },
        features: { supplementalGroupsPolicy: true },
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      },
    ],
  }),
  goodKind({
    version: "v1",
    kind: "Namespace",
    plural: "namespaces",
    clusterName: "{ns}-a",
    objects: [{}, { metadata: { labels: { a: "b" } }, spec: { finalizers: ["kubernetes"] } }],
    statuses: [{ phase: "Active", conditions: [{ type: "T", status: "False" }] }],
  }),
  goodKind({
    version: "node.k8s.io/v1",
    kind: "RuntimeClass",
    plural: "runtimeclasses",
    clusterName: "{ns}-a",
    objects: [
      { handler: "h" },
      {
        handler: "h",
        overhead: { podFixed: { cpu: "100m", memory: "1Mi" } },
        scheduling: {
          nodeSelector: { a: "b" },
          tolerations: [
            { key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
            { key: "l", operator: "Equal", value: "v", effect: "NoSchedule" },
          ],
        },
      },
    ],
  }),
];

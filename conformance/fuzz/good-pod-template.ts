import type { JsonObject } from "@kubewright/core/json";

const fullContainer: JsonObject = {
  name: "main",
  image: "nginx:1.27",
  command: ["sh"],
  args: ["-c", "true"],
  workingDir: "/w",
  ports: [
    { name: "http", containerPort: 80, protocol: "TCP" },
    { name: "dns", containerPort: 53, hostPort: 53, hostIP: "10.0.0.9", protocol: "UDP" },
  ],
  env: [
    { name: "A", value: "x" },
    { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu", containerName: "main", divisor: "1m" } } },
    { name: "D", valueFrom: { configMapKeyRef: { name: "c", key: "k", optional: true } } },
    { name: "E", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
  ],
  envFrom: [{ prefix: "P_", configMapRef: { name: "c" } }, { secretRef: { name: "s", optional: true } }],
  resources: {
    requests: { cpu: "100m", memory: "64Mi", "ephemeral-storage": "1Gi", "example.com/gpu": "1" },
    limits: { cpu: "1", memory: "128Mi", "ephemeral-storage": "2Gi", "example.com/gpu": "1" },
  },
  volumeMounts: [
    { name: "config", mountPath: "/etc/c", readOnly: true, subPath: "a/b" },
    { name: "cache", mountPath: "/cache", mountPropagation: "HostToContainer" },
  ],
  volumeDevices: [{ name: "claim", devicePath: "/dev/x" }],
  livenessProbe: {
    httpGet: { path: "/healthz", port: "http", scheme: "HTTPS", httpHeaders: [{ name: "X-A", value: "b" }] },
    initialDelaySeconds: 1,
    timeoutSeconds: 2,
    periodSeconds: 3,
    successThreshold: 1,
    failureThreshold: 4,
    terminationGracePeriodSeconds: 5,
  },
  readinessProbe: { tcpSocket: { port: 80, host: "h" }, successThreshold: 2 },
  startupProbe: { grpc: { port: 90, service: "s" } },
  lifecycle: { postStart: { exec: { command: ["true"] } }, preStop: { sleep: { seconds: 3 } } },
  terminationMessagePath: "/t",
  terminationMessagePolicy: "FallbackToLogsOnError",
  imagePullPolicy: "IfNotPresent",
  securityContext: {
    capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] },
    privileged: false,
    runAsUser: 5,
    runAsGroup: 6,
    runAsNonRoot: true,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    procMount: "Default",
    seLinuxOptions: { level: "s0", role: "r", type: "t", user: "u" },
    seccompProfile: { type: "Localhost", localhostProfile: "p" },
    appArmorProfile: { type: "RuntimeDefault" },
  },
  stdin: true,
  stdinOnce: true,
  tty: true,
};

/** A pod's spec in which most fields are set. */
export const fullPodSpec: JsonObject = {
  containers: [
    fullContainer,
    { name: "side", image: "busybox", resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] },
  ],
  initContainers: [
    { name: "init", image: "busybox", volumeMounts: [{ name: "cache", mountPath: "/c" }] },
    { name: "sidecar", image: "busybox", restartPolicy: "Always", startupProbe: { exec: { command: ["true"] } } },
  ],
  volumes: [
    {
      name: "config",
      configMap: { name: "c", defaultMode: 420, items: [{ key: "k", path: "p", mode: 256 }], optional: true },
    },
    { name: "cache", emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
    { name: "claim", persistentVolumeClaim: { claimName: "c", readOnly: true } },
    { name: "secret", secret: { secretName: "s", items: [{ key: "k", path: "p" }] } },
    { name: "host", hostPath: { path: "/x", type: "Directory" } },
    {
      name: "all",
      projected: {
        defaultMode: 292,
        sources: [
          { configMap: { name: "c" } },
          { secret: { name: "s", items: [{ key: "k", path: "q" }] } },
          { downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
          { serviceAccountToken: { path: "token", audience: "a", expirationSeconds: 3600 } },
        ],
      },
    },
    {
      name: "down",
      downwardAPI: {
        items: [{ path: "cpu", resourceFieldRef: { containerName: "main", resource: "requests.cpu", divisor: "1m" } }],
      },
    },
    {
      name: "csi",
      csi: {
        driver: "d.example.com",
        fsType: "ext4",
        volumeAttributes: { a: "b" },
        nodePublishSecretRef: { name: "s" },
      },
    },
    {
      name: "own",
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { a: "b" } },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      },
    },
    { name: "nfs", nfs: { server: "s", path: "/p" } },
    { name: "image", image: { reference: "quay.io/x:v1", pullPolicy: "IfNotPresent" } },
    { name: "iscsi", iscsi: { targetPortal: "10.0.0.1:3260", iqn: "iqn.2001-04.com.example:storage.x", lun: 1 } },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: "zone", operator: "In", values: ["a", "b"] },
              { key: "size", operator: "Gt", values: ["3"] },
              { key: "disk", operator: "Exists" },
            ],
            matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }],
          },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, preference: { matchExpressions: [{ key: "k", operator: "DoesNotExist" }] } },
      ],
    },
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 7,
          podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: { app: "a" } }, namespaces: ["n"] },
        },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: "kubernetes.io/hostname",
          labelSelector: { matchExpressions: [{ key: "app", operator: "In", values: ["a"] }] },
          namespaceSelector: {},
          matchLabelKeys: ["pod-template-hash"],
        },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "a" } },
      minDomains: 2,
      nodeAffinityPolicy: "Honor",
      nodeTaintsPolicy: "Ignore",
      matchLabelKeys: ["k"],
    },
  ],
  tolerations: [
    { key: "k", operator: "Equal", value: "v", effect: "NoSchedule" },
    { key: "e", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 },
    { operator: "Exists" },
  ],
  securityContext: {
    runAsUser: 1,
    runAsGroup: 2,
    runAsNonRoot: true,
    fsGroup: 3,
    fsGroupChangePolicy: "OnRootMismatch",
    supplementalGroups: [4, 5],
    supplementalGroupsPolicy: "Merge",
    seccompProfile: { type: "RuntimeDefault" },
    appArmorProfile: { type: "Localhost", localhostProfile: "p" },
    sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }],
    seLinuxOptions: { level: "s0" },
  },
  serviceAccountName: "robot",
  automountServiceAccountToken: false,
  nodeSelector: { disk: "ssd" },
  hostname: "h",
  subdomain: "s",
  schedulerName: "own",
  dnsPolicy: "None",
  dnsConfig: { nameservers: ["10.0.0.10"], searches: ["a.example.com"], options: [{ name: "ndots", value: "2" }] },
  hostAliases: [{ ip: "127.0.0.1", hostnames: ["a.example.com"] }],
  imagePullSecrets: [{ name: "pull" }],
  readinessGates: [{ conditionType: "example.com/ready" }],
  terminationGracePeriodSeconds: 10,
  enableServiceLinks: false,
  shareProcessNamespace: true,
  preemptionPolicy: "PreemptLowerPriority",
  overhead: { cpu: "10m" },
  runtimeClassName: "r",
};

/** A pod's spec with little in it. */
export const smallPodSpec: JsonObject = { containers: [{ name: "main", image: "nginx" }] };

/** A template with the labels that the selectors of good objects ask for. */
export function goodTemplate(spec: JsonObject): JsonObject {
  return { metadata: { labels: { app: "a", tier: "t" }, annotations: { note: "x" } }, spec };
}

/** Conditions of a status. */
export const goodConditions: readonly JsonObject[] = [
  { type: "Ready", status: "True", reason: "R", message: "m", lastTransitionTime: "2026-01-01T00:00:00Z" },
];

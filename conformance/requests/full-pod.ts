import type { JsonObject } from "@kubewright/core/json";
import { container } from "./sample-objects.js";

/** A pod spec with almost every field, each with few of its subfields. */
export const fullPodSpec: JsonObject = {
  serviceAccountName: "me",
  hostNetwork: false,
  nodeSelector: { disk: "ssd" },
  terminationGracePeriodSeconds: 0,
  tolerations: [{ key: "a", operator: "Exists" }],
  hostAliases: [{ ip: "10.0.0.1", hostnames: ["a", "b.c"] }],
  dnsConfig: { nameservers: ["1.1.1.1"], searches: ["a.b", "_c.d"], options: [{ name: "ndots", value: "2" }] },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: "a/b", labelSelector: { matchLabels: { a: "b" } } } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: {} },
  ],
  securityContext: { runAsUser: 1000, fsGroup: 2000, seccompProfile: { type: "RuntimeDefault" } },
  initContainers: [
    container("init", "busybox@sha256:0123456789012345678901234567890123456789012345678901234567890123"),
    container("sidecar", "busybox:latest", { restartPolicy: "Always", startupProbe: { exec: { command: ["true"] } } }),
  ],
  containers: [
    container("main", "registry.example.com:5000/a/b", {
      command: ["a"],
      args: [],
      stdin: false,
      ports: [
        { containerPort: 80, name: "http" },
        { containerPort: 53, protocol: "UDP", hostPort: 0 },
      ],
      env: [
        { name: "A", value: "" },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
        { name: "D", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: false } } },
        { name: "E", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } },
      ],
      envFrom: [{ prefix: "P_", configMapRef: { name: "c" } }, { secretRef: { name: "s" } }],
      resources: { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: 0.5 } },
      livenessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 0 },
      readinessProbe: { tcpSocket: { port: "http" }, timeoutSeconds: 5 },
      startupProbe: { grpc: { port: 9 } },
      lifecycle: { preStop: { httpGet: { port: 1 } } },
      securityContext: { privileged: false, capabilities: { drop: ["ALL"] } },
      volumeMounts: [
        { name: "data", mountPath: "/data", readOnly: false },
        { name: "conf", mountPath: "/conf", subPath: "a/b", readOnly: true },
      ],
    }),
  ],
  volumes: [
    { name: "data" },
    { name: "conf", configMap: { name: "c", items: [{ key: "a", path: "b/c" }] } },
    { name: "secret", secret: { secretName: "s", optional: true } },
    { name: "host", hostPath: { path: "/x" } },
    { name: "claim", persistentVolumeClaim: { claimName: "c", readOnly: false } },
    { name: "down", downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
    { name: "proj", projected: { sources: [{ serviceAccountToken: { path: "t" } }, { configMap: { name: "c" } }] } },
    { name: "mem", emptyDir: { medium: "Memory", sizeLimit: "1024Ki" } },
    { name: "nfs", nfs: { server: "s", path: "/p" } },
    { name: "csi", csi: { driver: "d.example.com" } },
    { name: "img", image: { reference: "a:1" } },
    {
      name: "eph",
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      },
    },
  ],
};

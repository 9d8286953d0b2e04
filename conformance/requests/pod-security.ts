import type { JsonObject } from "@kubewright/core/json";
import { jsonPatch, mergePatch, post, put, type RequestStep, type Step, subject, wording } from "../test-case.js";
import { createSpec } from "./object-steps.js";
import { container, pods } from "./sample-objects.js";

const namespace = "/api/v1/namespaces/{ns}";
const prefix = "pod-security.kubernetes.io/";
const outcome = { fields: ["metadata.name", "message", "reason", "details", "code"] };

/** Sets the labels of the namespace, and waits until the server knows the level. */
const label = (labels: Record<string, string>, extra: object = { silent: true }): RequestStep =>
  mergePatch(
    namespace,
    { metadata: { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [prefix + key, value])) } },
    { fields: ["message", "reason", "details", "code", "metadata.labels"], ...extra },
  );

/** Passes every check. */
const strictSecurity: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const strict = (name: string, security: JsonObject = {}, fields: JsonObject = {}): JsonObject =>
  container(name, "a:1", { securityContext: { ...strictSecurity, ...security }, ...fields });
const hostile: JsonObject = { hostPID: true, containers: [container("main", "a:1")] };

/** A dry run that is rejected once the server, which reads labels from a cache, knows the level. */
const untilEnforced = (level: string): Step =>
  createSpec(`${pods}?dryRun=All`, "probe", hostile, { until: { status: 403, includes: level }, silent: true });
const enforce = (level: string, version = "latest"): Step[] => [
  label({ enforce: level, "enforce-version": version, warn: "privileged" }),
  untilEnforced(`${level}:${version}`),
];

const pod = (name: string, spec: JsonObject, metadata: JsonObject = {}): RequestStep =>
  post(pods, { metadata: { name, ...metadata }, spec }, outcome);
const baseline = (name: string, spec: JsonObject, metadata?: JsonObject): RequestStep =>
  pod(name, { containers: [container("main", "a:1")], ...spec }, metadata);
const inContainer = (name: string, fields: JsonObject): RequestStep =>
  pod(name, { containers: [container("one", "a:1", fields), container("two", "a:1", fields)] });
const secured = (name: string, securityContext: JsonObject): RequestStep => inContainer(name, { securityContext });
const restricted = (name: string, spec: JsonObject): RequestStep =>
  pod(name, { containers: [strict("main")], ...spec });
const volume = (name: string, source: JsonObject): JsonObject => ({ name, ...source });

const workloads: readonly (readonly [path: string, spec: (template: JsonObject) => JsonObject])[] = [
  ["/api/v1/namespaces/{ns}/replicationcontrollers", (template) => ({ replicas: 0, selector: { app: "a" }, template })],
  ["/apis/apps/v1/namespaces/{ns}/replicasets", (template) => ({ replicas: 0, ...selecting(template) })],
  ["/apis/apps/v1/namespaces/{ns}/deployments", (template) => ({ replicas: 0, ...selecting(template) })],
  [
    "/apis/apps/v1/namespaces/{ns}/statefulsets",
    (template) => ({ replicas: 0, serviceName: "a", ...selecting(template) }),
  ],
  ["/apis/apps/v1/namespaces/{ns}/daemonsets", (template) => selecting(template)],
  ["/apis/batch/v1/namespaces/{ns}/jobs", (template) => ({ suspend: true, template: never(template) })],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    (template) => ({ schedule: "0 0 1 1 *", jobTemplate: { spec: { template: never(template) } } }),
  ],
];

function selecting(template: JsonObject): JsonObject {
  return { selector: { matchLabels: { app: "a" } }, template };
}

function never(template: JsonObject): JsonObject {
  return { ...template, spec: { ...(template["spec"] as JsonObject), restartPolicy: "Never" } };
}

const hostileTemplate: JsonObject = { metadata: { labels: { app: "a" } }, spec: hostile };

/** The Pod Security Standards that namespaces enforce, warn about and audit. */
export const podSecurityCases = subject("pod-security", {
  "labels of a namespace must name a level and a version": wording(
    label({ enforce: "strict" }, {}),
    label({ "enforce-version": "1.20" }, {}),
    label({ enforce: "", warn: "Baseline", audit: "none", "warn-version": "v1", "audit-version": "v1.01" }, {}),
    label({ enforce: "restricted", "enforce-version": "v1.24", audit: "baseline", warn: "privileged" }, {}),
  ),
  "a namespace with wrong labels cannot be created": wording(
    post("/api/v1/namespaces", { metadata: { name: "{ns}-x", labels: { [`${prefix}enforce`]: "strict" } } }, outcome),
    post(
      "/api/v1/namespaces",
      { metadata: { name: "{ns}-y", labels: { [`${prefix}warn-version`]: "v2.0" } } },
      outcome,
    ),
  ),
  "without labels every pod is admitted": [pod("a", { ...hostile, hostNetwork: true })],
  "baseline forbids host namespaces": wording(
    enforce("baseline"),
    baseline("a", {}),
    baseline("b", { hostNetwork: true }),
    baseline("c", { hostNetwork: true, hostPID: true, hostIPC: true }),
  ),
  "baseline forbids privileged containers": wording(
    enforce("baseline"),
    secured("a", { privileged: false }),
    secured("b", { privileged: true }),
    pod("c", {
      containers: [container("main", "a:1")],
      initContainers: [container("init", "a:1", { securityContext: { privileged: true } })],
    }),
  ),
  "baseline limits added capabilities": wording(
    enforce("baseline"),
    secured("a", { capabilities: { add: ["CHOWN", "KILL"] } }),
    secured("b", { capabilities: { add: ["NET_ADMIN", "CHOWN", "ALL"] } }),
    pod("c", {
      containers: [
        container("one", "a:1", { securityContext: { capabilities: { add: ["SYS_TIME"] } } }),
        container("two", "a:1"),
      ],
    }),
  ),
  "baseline forbids hostPath volumes": wording(
    enforce("baseline"),
    baseline("a", { volumes: [volume("v", { emptyDir: {} })] }),
    baseline("b", { volumes: [volume("v", { hostPath: { path: "/" } })] }),
    baseline("c", { volumes: [volume("v", { hostPath: { path: "/" } }), volume("w", { hostPath: { path: "/" } })] }),
  ),
  "baseline forbids host ports": wording(
    enforce("baseline"),
    inContainer("a", { ports: [{ containerPort: 80 }] }),
    pod("b", { containers: [container("one", "a:1", { ports: [{ containerPort: 80, hostPort: 80 }] })] }),
    pod("c", {
      containers: [
        container("one", "a:1", {
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 9, hostPort: 9 },
          ],
        }),
        container("two", "a:1", { ports: [{ containerPort: 81, hostPort: 81 }] }),
      ],
    }),
  ),
  "baseline forbids hosts of probes and lifecycle handlers": wording(
    enforce("baseline"),
    inContainer("a", { livenessProbe: { httpGet: { port: 80 } } }),
    inContainer("b", { livenessProbe: { httpGet: { port: 80, host: "10.0.0.1" } } }),
    pod("c", {
      containers: [
        container("one", "a:1", {
          readinessProbe: { tcpSocket: { port: 80, host: "b.example.com" } },
          lifecycle: { preStop: { httpGet: { port: 80, host: "a.example.com" } } },
        }),
      ],
    }),
  ),
  "hosts of probes are allowed up to v1.33": wording(
    enforce("baseline", "v1.33"),
    inContainer("b", { livenessProbe: { httpGet: { port: 80, host: "10.0.0.1" } } }),
  ),
  "baseline limits AppArmor profiles": wording(
    enforce("baseline"),
    secured("a", { appArmorProfile: { type: "RuntimeDefault" } }),
    secured("b", { appArmorProfile: { type: "Unconfined" } }),
    baseline("c", { securityContext: { appArmorProfile: { type: "Unconfined" } } }),
    baseline("d", {}, { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } }),
    baseline("e", {}, { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "runtime/default" } }),
  ),
  "baseline limits SELinux options": wording(
    enforce("baseline"),
    secured("a", { seLinuxOptions: { type: "container_t" } }),
    secured("b", { seLinuxOptions: { type: "spc_t" } }),
    secured("c", { seLinuxOptions: { user: "u", role: "r" } }),
    baseline("d", { securityContext: { seLinuxOptions: { type: "spc_t", role: "r" } } }),
    secured("e", { seLinuxOptions: { type: "container_engine_t" } }),
  ),
  "the SELinux type container_engine_t is forbidden up to v1.30": wording(
    enforce("baseline", "v1.30"),
    secured("a", { seLinuxOptions: { type: "container_engine_t" } }),
  ),
  "baseline forbids unmasked /proc, except in a user namespace": wording(
    enforce("baseline"),
    secured("a", { procMount: "Default" }),
    secured("b", { procMount: "Unmasked" }),
    pod("c", {
      hostUsers: false,
      containers: [container("main", "a:1", { securityContext: { procMount: "Unmasked" } })],
    }),
  ),
  "unmasked /proc is forbidden in a user namespace up to v1.34, and at the level restricted": wording(
    enforce("baseline", "v1.34"),
    pod("a", {
      hostUsers: false,
      containers: [container("main", "a:1", { securityContext: { procMount: "Unmasked" } })],
    }),
    enforce("restricted"),
    pod("b", { hostUsers: false, containers: [strict("main", { procMount: "Unmasked" })] }),
  ),
  "baseline limits seccomp profiles": wording(
    enforce("baseline"),
    secured("a", { seccompProfile: { type: "RuntimeDefault" } }),
    secured("b", { seccompProfile: { type: "Unconfined" } }),
    baseline("c", { securityContext: { seccompProfile: { type: "Unconfined" } } }),
  ),
  "seccomp annotations count up to v1.18": wording(
    enforce("baseline", "v1.18"),
    baseline("a", {}, { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" } }),
    baseline("b", {}, { annotations: { "container.seccomp.security.alpha.kubernetes.io/main": "unconfined" } }),
    baseline("c", {}, { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "docker/default" } }),
    secured("d", { seccompProfile: { type: "Unconfined" } }),
  ),
  "baseline allows safe sysctls": wording(
    enforce("baseline"),
    baseline("a", { securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } }),
    baseline("b", {
      securityContext: {
        sysctls: [
          { name: "kernel.msgmax", value: "1" },
          { name: "net.core.somaxconn", value: "1" },
        ],
      },
    }),
  ),
  "which sysctls are safe depends on the version": wording(
    ...["v1.26", "v1.28", "v1.31"].flatMap((version, index) => [
      ...enforce("baseline", version),
      baseline(`a${index}`, {
        securityContext: {
          sysctls: [
            { name: "net.ipv4.ip_local_reserved_ports", value: "1" },
            { name: "net.ipv4.tcp_fin_timeout", value: "1" },
            { name: "net.ipv4.tcp_wmem", value: "1" },
          ],
        },
      }),
    ]),
  ),
  "baseline forbids Windows host processes": wording(
    enforce("baseline"),
    pod("a", {
      hostNetwork: true,
      os: { name: "windows" },
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container("main", "a:1")],
    }),
  ),
  "restricted admits a pod that passes every check": wording(enforce("restricted"), restricted("a", {})),
  "restricted lists every violation, those of baseline first": wording(
    enforce("restricted"),
    baseline("a", {}),
    pod("b", {
      hostPID: true,
      volumes: [volume("v", { hostPath: { path: "/" } }), volume("w", { nfs: { server: "s", path: "/" } })],
      containers: [container("one", "a:1"), container("two", "a:1", { securityContext: { privileged: true } })],
    }),
  ),
  "restricted requires allowPrivilegeEscalation to be false": wording(
    enforce("restricted"),
    pod("a", { containers: [strict("main", { allowPrivilegeEscalation: true })] }),
  ),
  "restricted requires containers to drop all capabilities": wording(
    enforce("restricted"),
    pod("a", { containers: [strict("main", { capabilities: {} })] }),
    pod("b", { containers: [strict("main", { capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } })] }),
    pod("c", { containers: [strict("main", { capabilities: { drop: ["ALL"], add: ["CHOWN", "SYS_TIME"] } })] }),
    pod("d", { containers: [strict("main", { capabilities: { drop: ["KILL"], add: ["CHOWN"] } }), strict("two")] }),
  ),
  "restricted limits volume types": wording(
    enforce("restricted"),
    restricted("a", {
      volumes: [
        volume("a", { emptyDir: {} }),
        volume("b", { configMap: { name: "c" } }),
        volume("c", { projected: { sources: [] } }),
      ],
    }),
    restricted("b", { volumes: [volume("a", { nfs: { server: "s", path: "/" } })] }),
    restricted("c", {
      volumes: [
        volume("a", { hostPath: { path: "/" } }),
        volume("b", { iscsi: { targetPortal: "p", iqn: "iqn.2001-04.com.example:storage", lun: 0 } }),
        volume("c", { fc: { targetWWNs: ["w"], lun: 0 } }),
      ],
    }),
  ),
  "restricted requires runAsNonRoot": wording(
    enforce("restricted"),
    pod("a", { containers: [strict("main", { runAsNonRoot: false })] }),
    restricted("b", { securityContext: { runAsNonRoot: false } }),
    pod("c", { securityContext: { runAsNonRoot: false }, containers: [strict("main", { runAsNonRoot: false })] }),
    pod("d", {
      hostUsers: false,
      containers: [strict("main", { runAsNonRoot: false, runAsUser: 0 })],
    }),
  ),
  "restricted forbids the user 0": wording(
    enforce("restricted"),
    restricted("a", { securityContext: { runAsUser: 0 } }),
    pod("b", { containers: [strict("main", { runAsUser: 0 }), strict("two", { runAsUser: 1 })] }),
  ),
  "restricted requires a seccomp profile of the pod or of each container": wording(
    enforce("restricted"),
    pod("a", {
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        container("main", "a:1", {
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, runAsNonRoot: true },
        }),
      ],
    }),
    pod("b", {
      containers: [
        container("main", "a:1", {
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, runAsNonRoot: true },
        }),
      ],
    }),
    restricted("c", { securityContext: { seccompProfile: { type: "Unconfined" } } }),
  ),
  "restricted exempts Windows pods from Linux checks since v1.25": wording(
    enforce("restricted"),
    pod("a", {
      os: { name: "windows" },
      containers: [container("main", "a:1", { securityContext: { runAsNonRoot: true } })],
    }),
    enforce("restricted", "v1.24"),
    pod("b", {
      os: { name: "windows" },
      containers: [container("main", "a:1", { securityContext: { runAsNonRoot: true } })],
    }),
  ),
  "restricted of an old version has fewer checks": wording(
    enforce("restricted", "v1.7"),
    baseline("a", {}),
    enforce("restricted", "v1.21"),
    baseline("b", {}),
    enforce("restricted", "v1.99"),
    baseline("c", {}),
  ),
  "a pod that would violate the level of warn gets a warning": wording(
    label({ enforce: "baseline", warn: "restricted", "warn-version": "v1.30" }),
    untilEnforced("baseline:latest"),
    createSpec(`${pods}?dryRun=All`, "a", { containers: [container("main", "a:1")] }, outcome),
    pod("b", { containers: [strict("main")] }),
  ),
  "warn is as strict as enforce unless it is set": wording(
    label({ enforce: "baseline" }),
    untilEnforced("baseline:latest"),
    baseline("a", {}),
    ...workloads
      .slice(2, 3)
      .map(([path, spec]) => createSpec(path, "a", spec(hostileTemplate), { fields: ["metadata.name"] })),
  ),
  "workloads get warnings, and are not rejected": wording(
    label({ enforce: "baseline", warn: "baseline" }),
    untilEnforced("baseline:latest"),
    ...workloads.map(([path, spec]) => createSpec(path, "a", spec(hostileTemplate), { fields: ["metadata.name"] })),
    post(
      "/api/v1/namespaces/{ns}/podtemplates",
      { metadata: { name: "a" }, template: hostileTemplate },
      { fields: ["metadata.name"] },
    ),
  ),
  "a ReplicationController without a template gets no warning": wording(
    label({ enforce: "baseline", warn: "restricted" }),
    untilEnforced("baseline:latest"),
    createSpec("/api/v1/namespaces/{ns}/replicationcontrollers", "a", { selector: { app: "a" } }, outcome),
  ),
  "an update of a pod is checked if an image changes": wording(
    pod("a", hostile),
    enforce("baseline"),
    jsonPatch(`${pods}/a`, [{ op: "add", path: "/metadata/labels", value: { a: "b" } }], outcome),
    jsonPatch(`${pods}/a`, [{ op: "replace", path: "/spec/containers/0/image", value: "a:2" }], outcome),
    jsonPatch(`${pods}/a/status`, [{ op: "add", path: "/status/message", value: "x" }], outcome),
  ),
  "an ephemeral container is checked": wording(
    pod("a", { containers: [container("main", "a:1")] }),
    enforce("baseline"),
    jsonPatch(
      `${pods}/a/ephemeralcontainers`,
      [
        {
          op: "add",
          path: "/spec/ephemeralContainers",
          value: [container("debug", "a:1", { securityContext: { privileged: true } })],
        },
      ],
      outcome,
    ),
  ),
  "a stricter level of a namespace warns about the pods that violate it": wording(
    pod("a", hostile),
    pod("b", hostile),
    pod("c", { containers: [container("main", "a:1", { securityContext: { privileged: true } })] }),
    pod("d", { containers: [container("main", "a:1")] }),
    // The server reads pods from a cache too: by then it knows them.
    enforce("baseline"),
    label({ enforce: "privileged" }),
    label({ enforce: "baseline" }, { fields: ["metadata.labels"] }),
    label({ enforce: "restricted" }, { fields: ["metadata.labels"] }),
    label({ enforce: "baseline" }, { fields: ["metadata.labels"] }),
    label({ enforce: "baseline", "enforce-version": "v1.20" }, { fields: ["metadata.labels"] }),
    label({ enforce: "privileged" }, { fields: ["metadata.labels"] }),
  ),
  "labels that became invalid stay until they change": wording(
    put(
      namespace,
      { metadata: { name: "{ns}", labels: { [`${prefix}enforce`]: "baseline" } } },
      { fields: ["metadata.labels"] },
    ),
    label({ enforce: "wrong" }, {}),
  ),
});

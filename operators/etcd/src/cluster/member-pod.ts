import { createHash } from "node:crypto";
import { Pod, type PodSpec } from "kubewright/k8s/core/v1";
import type { ReadEtcdCluster } from "../resources/etcd-cluster.js";
import { type RestoreData, restoreSteps } from "../restore/restore-data.js";
import type { ReadPod } from "./cluster-view.js";
import type { ClusterContext } from "./context.js";
import {
  clientPort,
  clientURL,
  clusterLabels,
  forcedAnnotation,
  peerPort,
  peerURL,
  placementAnnotation,
  versionAnnotation,
} from "./names.js";

/** How a member starts. With data, only `forced` matters: the others describe a start without data. */
export type MemberStart =
  | { readonly kind: "new" }
  | { readonly kind: "existing"; readonly initialCluster: readonly string[] }
  | { readonly kind: "forced" };

export interface MemberPod {
  readonly cluster: ReadEtcdCluster;
  readonly member: string;
  readonly version: string;
  readonly start: MemberStart;
  /** Whether the member has a PersistentVolumeClaim of its name. */
  readonly hasVolume: boolean;
  /** The snapshot that the member starts with. */
  readonly restore?: RestoreData | undefined;
}

const dataDir = "/var/etcd/data";
const tlsDirs = {
  peer: "/etc/etcdtls/member/peer-tls",
  server: "/etc/etcdtls/member/server-tls",
  operator: "/etc/etcdtls/operator/etcd-tls",
};

/** Creates the Pod of a member, once: what changes later in the spec does not touch it. */
export function ensurePod(context: ClusterContext, input: MemberPod): Promise<ReadPod> {
  return context.ensure(Pod, input.member, () => memberPod(input));
}

/** The Pod of a member. */
export function memberPod({ cluster, member, version, start, hasVolume, restore }: MemberPod) {
  const { name } = cluster.metadata;
  const { pod = undefined, repository } = cluster.spec;
  const image = `${repository}:v${version}`;
  const probe = (command: readonly string[], timeoutSeconds: number) => ({
    exec: { command: etcdctl(cluster, command) },
    timeoutSeconds,
    failureThreshold: 3,
  });
  const volume = hasVolume ? { persistentVolumeClaim: { claimName: member } } : { emptyDir: {} };
  const tls = tlsVolumes(cluster);
  const restored =
    restore &&
    restoreSteps(restore, {
      name: member,
      peerURL: peerURL(cluster, member),
      clusterToken: tokenOf(cluster),
      etcdImage: image,
      dataVolume: "etcd-data",
    });
  const spec: PodSpec = {
    restartPolicy: "Never",
    hostname: member,
    subdomain: name,
    automountServiceAccountToken: false,
    ...(pod?.nodeSelector && { nodeSelector: { ...pod.nodeSelector } }),
    ...affinityOf(cluster),
    ...(pod?.tolerations && { tolerations: structuredClone(pod.tolerations) as PodSpec["tolerations"] }),
    ...(pod?.securityContext && {
      securityContext: structuredClone(pod.securityContext) as PodSpec["securityContext"],
    }),
    initContainers: [
      { name: "check-dns", image: pod?.busyboxImage ?? "busybox:1.28.0-glibc", command: waitForName(cluster, member) },
      ...(restored?.initContainers ?? []),
    ],
    containers: [
      {
        name: "etcd",
        image,
        command: etcdCommand(cluster, member, start),
        env: [{ name: "ETCDCTL_API", value: "3" }, ...structuredClone((pod?.etcdEnv ?? []) as { name: string }[])],
        ports: [
          { name: "server", containerPort: peerPort, protocol: "TCP" },
          { name: "client", containerPort: clientPort, protocol: "TCP" },
        ],
        volumeMounts: [{ name: "etcd-data", mountPath: "/var/etcd" }, ...tls.mounts],
        livenessProbe: { ...probe(["endpoint", "status"], 10), initialDelaySeconds: 10, periodSeconds: 60 },
        // Fails for learners and without a quorum: the Service routes to members that serve clients. `endpoint health` would also fail
        // while the quota is exceeded, when clients have to delete keys.
        readinessProbe: {
          ...probe(["--command-timeout=4s", "get", "health", "--keys-only"], 5),
          initialDelaySeconds: 1,
          periodSeconds: 5,
        },
        ...(pod?.resources && { resources: structuredClone(pod.resources) as { limits?: Record<string, string> } }),
      },
    ],
    volumes: [{ name: "etcd-data", ...volume }, ...tls.volumes, ...(restored?.volumes ?? [])],
  };
  return {
    metadata: {
      labels: { ...pod?.labels, ...clusterLabels(name), etcd_node: member },
      annotations: {
        ...pod?.annotations,
        [versionAnnotation]: version,
        [placementAnnotation]: placementOf(cluster),
        ...(start.kind === "forced" && { [forcedAnnotation]: "true" }),
      },
    },
    spec,
  };
}

function etcdCommand(cluster: ReadEtcdCluster, member: string, start: MemberStart): string[] {
  const { quotaBackendBytes, compaction } = cluster.spec;
  const self = peerURL(cluster, member);
  const client = new URL(clientURL(cluster, member));
  // With data etcd ignores it, and still requires it.
  const isJoining = start.kind === "existing" && start.initialCluster.length > 0;
  const initial = isJoining ? start.initialCluster : [`${member}=${self}`];
  return [
    "/usr/local/bin/etcd",
    `--data-dir=${dataDir}`,
    `--name=${member}`,
    `--initial-advertise-peer-urls=${self}`,
    `--listen-peer-urls=${new URL(self).protocol}//0.0.0.0:${peerPort}`,
    `--listen-client-urls=${client.protocol}//0.0.0.0:${clientPort}`,
    `--advertise-client-urls=${client.href.replace(/\/$/, "")}`,
    `--initial-cluster=${initial.join(",")}`,
    `--initial-cluster-state=${start.kind === "existing" ? "existing" : "new"}`,
    `--initial-cluster-token=${tokenOf(cluster)}`,
    ...(start.kind === "forced" ? ["--force-new-cluster=true"] : []),
    ...(quotaBackendBytes === undefined ? [] : [`--quota-backend-bytes=${quotaBackendBytes}`]),
    ...(compaction === undefined
      ? []
      : [
          `--auto-compaction-mode=${compaction.mode.toLowerCase()}`,
          `--auto-compaction-retention=${compaction.retention}`,
        ]),
    ...tlsFlags(cluster),
  ];
}

/** A member that starts without data never joins an earlier cluster of the same name. */
function tokenOf({ metadata, status }: ReadEtcdCluster): string {
  return `${metadata.uid}-${status?.recoveries ?? 0}`;
}

function tlsFlags({ spec }: ReadEtcdCluster): string[] {
  const { member, operatorSecret } = spec.TLS?.static ?? {};
  const { peer, server, operator } = tlsDirs;
  return [
    ...(member?.peerSecret === undefined
      ? []
      : [
          "--peer-client-cert-auth=true",
          `--peer-trusted-ca-file=${peer}/peer-ca.crt`,
          `--peer-cert-file=${peer}/peer.crt`,
          `--peer-key-file=${peer}/peer.key`,
        ]),
    ...(member?.serverSecret === undefined || operatorSecret === undefined
      ? []
      : [
          "--client-cert-auth=true",
          `--trusted-ca-file=${server}/server-ca.crt`,
          `--cert-file=${server}/server.crt`,
          `--key-file=${server}/server.key`,
          // The JSON gateway connects to its own server: a server certificate need not allow client authentication then.
          `--client-cert-file=${operator}/etcd-client.crt`,
          `--client-key-file=${operator}/etcd-client.key`,
        ]),
  ];
}

type Volumes = NonNullable<PodSpec["volumes"]>;
type Mounts = NonNullable<PodSpec["containers"][number]["volumeMounts"]>;

function tlsVolumes({ spec }: ReadEtcdCluster): { readonly volumes: Volumes; readonly mounts: Mounts } {
  const { member, operatorSecret } = spec.TLS?.static ?? {};
  const secrets = [
    { name: "member-peer-tls", secretName: member?.peerSecret, mountPath: tlsDirs.peer },
    { name: "member-server-tls", secretName: member?.serverSecret, mountPath: tlsDirs.server },
    { name: "etcd-client-tls", secretName: operatorSecret, mountPath: tlsDirs.operator },
  ].flatMap(({ secretName, ...rest }) => (secretName === undefined ? [] : [{ secretName, ...rest }]));
  return {
    // A mounted Secret follows its object, and etcd reads certificates for each connection: they rotate without a restart.
    volumes: secrets.map(({ name, secretName }) => ({ name, secret: { secretName } })),
    mounts: secrets.map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
  };
}

function etcdctl({ spec }: ReadEtcdCluster, command: readonly string[]): string[] {
  const { operator } = tlsDirs;
  const isSecure = spec.TLS?.static.operatorSecret !== undefined;
  return [
    "/usr/local/bin/etcdctl",
    `--endpoints=${isSecure ? "https" : "http"}://localhost:${clientPort}`,
    ...(isSecure
      ? [
          `--cert=${operator}/etcd-client.crt`,
          `--key=${operator}/etcd-client.key`,
          `--cacert=${operator}/etcd-client-ca.crt`,
        ]
      : []),
    ...command,
  ];
}

/** Other members must be able to resolve the name when etcd starts: it gives up otherwise. */
function waitForName(cluster: ReadEtcdCluster, member: string): string[] {
  const seconds = cluster.spec.pod?.DNSTimeoutInSecond ?? 0;
  const host = new URL(peerURL(cluster, member)).hostname;
  const limit = seconds === 0 ? "" : `[ "$(($(date +%s) - begin))" -lt ${seconds} ] || exit 1; `;
  // The nslookup of newer versions of busybox ignores the search domains.
  const domains = '"" $(sed -n "s/^search//p" /etc/resolv.conf)';
  const lookUp = `for domain in ${domains}; do nslookup "${host}\${domain:+.$domain}" && exit; done > /dev/null 2>&1`;
  return ["/bin/sh", "-c", `begin=$(date +%s); while true; do ${lookUp}; ${limit}sleep 1; done`];
}

function affinityOf({ metadata, spec: { pod } }: ReadEtcdCluster): Pick<PodSpec, "affinity"> {
  if (pod?.affinity !== undefined) return { affinity: structuredClone(pod.affinity) as PodSpec["affinity"] };
  if (pod?.antiAffinity !== true) return {};
  const term = {
    labelSelector: { matchLabels: { ...clusterLabels(metadata.name) } },
    topologyKey: "kubernetes.io/hostname",
  };
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

/** Identifies the rules by which the scheduler places a member. */
export function placementOf({ spec: { pod } }: ReadEtcdCluster): string {
  const { nodeSelector, affinity, antiAffinity, tolerations } = pod ?? {};
  const rules = JSON.stringify([nodeSelector, affinity, antiAffinity, tolerations]);
  return createHash("sha256").update(rules).digest("hex").slice(0, 16);
}

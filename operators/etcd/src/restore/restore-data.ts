import { z } from "kubewright";
import type { PodSpec } from "kubewright/k8s/core/v1";

/** Annotation of an EtcdCluster that starts with the data of a snapshot: {@link RestoreData} as JSON. Its first member is made with {@link restoreSteps}. */
export const restoreAnnotation = "etcd.database.coreos.com/restore";

const restoreData = z.object({
  /** The uid of the EtcdRestore. */
  restoreUid: z.string().min(1),
  /** The image of the operator: it contains the program that fetches the snapshot. */
  image: z.string().min(1),
  source: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("service"),
      /** Where the operator serves the snapshot. */
      url: z.url(),
      /** Bearer token for it, valid until the restore has ended. */
      token: z.string().min(1),
    }),
    z.object({
      kind: z.literal("volume"),
      /** A PersistentVolumeClaim with the snapshot. */
      claimName: z.string().min(1),
      path: z.string().min(1),
    }),
  ]),
});

/** Where the first member of a restored cluster gets its data. */
export type RestoreData = z.infer<typeof restoreData>;

/** The data that a cluster starts with; undefined for a cluster that starts empty. Throws if the annotation is not valid. */
export function restoreDataOf(cluster: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): RestoreData | undefined {
  const text = cluster.metadata.annotations?.[restoreAnnotation];
  if (text === undefined) return undefined;
  try {
    return restoreData.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`Cannot read the annotation ${restoreAnnotation}: ${text.slice(0, 80)}`, { cause });
  }
}

/** The member that is restored. */
export interface RestoredMember {
  readonly name: string;
  /** As in its `--initial-advertise-peer-urls`. */
  readonly peerURL: string;
  /** As in its `--initial-cluster-token`. */
  readonly clusterToken: string;
  readonly etcdImage: string;
  /** Name of the volume that is mounted at {@link dataMount}. */
  readonly dataVolume: string;
}

/** What a Pod needs beside its own: init containers, to run after its others, and volumes. */
export interface RestoreSteps {
  readonly initContainers: NonNullable<PodSpec["initContainers"]>;
  readonly volumes: NonNullable<PodSpec["volumes"]>;
}

type Container = RestoreSteps["initContainers"][number];

/** Where members have their volume. */
const dataMount = "/var/etcd";
const dataFolder = `${dataMount}/data`;
const snapshotFile = `${dataMount}/snapshot.db`;
const restoredFolder = `${dataMount}/restored`;
const backupMount = "/var/backup";

/**
 * The steps that give a member the data of a snapshot, in a new cluster of one member.
 *
 * They can be repeated, and leave a data folder as it is: it appears in the last step, complete. The image of etcd needs no shell.
 */
export function restoreSteps({ image, source }: RestoreData, member: RestoredMember): RestoreSteps {
  const data = { name: member.dataVolume, mountPath: dataMount };
  const isVolume = source.kind === "volume";
  const helper = (name: string, args: readonly string[], more: Partial<Container> = {}): Container => ({
    name,
    image,
    command: ["etcd-operator", ...args],
    // The volume of a member belongs to root, as etcd's image runs as root.
    securityContext: { runAsUser: 0 },
    ...more,
    volumeMounts: [data, ...(more.volumeMounts ?? [])],
  });
  const from = isVolume ? `${backupMount}/${source.path}` : source.url;
  const token = isVolume ? {} : { env: [{ name: "SNAPSHOT_TOKEN", value: source.token }] };
  const backup = isVolume ? { volumeMounts: [{ name: "backup", mountPath: backupMount, readOnly: true }] } : {};
  return {
    initContainers: [
      helper("fetch-snapshot", ["fetch-snapshot", from, snapshotFile, restoredFolder], { ...token, ...backup }),
      {
        name: "restore-snapshot",
        image: member.etcdImage,
        command: [
          "etcdutl",
          "snapshot",
          "restore",
          snapshotFile,
          `--data-dir=${restoredFolder}`,
          `--name=${member.name}`,
          `--initial-cluster=${member.name}=${member.peerURL}`,
          `--initial-cluster-token=${member.clusterToken}`,
          `--initial-advertise-peer-urls=${member.peerURL}`,
        ],
        volumeMounts: [data],
      },
      helper("adopt-data", ["adopt-data", restoredFolder, dataFolder, snapshotFile]),
    ],
    volumes: isVolume
      ? [{ name: "backup", persistentVolumeClaim: { claimName: source.claimName, readOnly: true } }]
      : [],
  };
}

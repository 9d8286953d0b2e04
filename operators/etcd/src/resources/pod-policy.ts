import { k, z } from "kubewright";
import type { PodSpec } from "kubewright/k8s/core/v1";

/** A part of a Pod that the API server validates when the Pod is created, with the type of Kubernetes. */
function podField<Value>(): z.ZodType<Value> {
  return z.looseObject({}) as unknown as z.ZodType<Value>;
}

type Container = PodSpec["containers"][number];
type Defined<Value> = Exclude<Value, undefined>;

/** `app` and names that begin with `etcd_` are labels of the operator. */
const reservedLabels = "!self.exists(name, name == 'app' || name.startsWith('etcd_'))";
const labels = k.rules(z.record(z.string(), z.string()).meta({ maxProperties: 64 }), {
  rule: reservedLabels,
  message: 'the label "app" and labels that begin with "etcd_" are reserved for the operator',
});

/** How the Pods of members are made. A change applies to Pods that are created later; see `spec.onPlacementChange`. */
export const podPolicy = z.object({
  labels: labels.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  affinity: podField<Defined<PodSpec["affinity"]>>().optional(),
  /** Deprecated: at most one member on a node, by its hostname. Use `affinity`. */
  antiAffinity: z.boolean().optional(),
  tolerations: z.array(podField<Defined<PodSpec["tolerations"]>[number]>()).max(100).optional(),
  resources: k.resourceRequirements().optional(),
  /** Environment variables of the etcd container. */
  etcdEnv: z.array(podField<Defined<Container["env"]>[number]>()).max(100).optional(),
  /** The PersistentVolumeClaimSpec of each member. Takes precedence over `spec.storage`. */
  persistentVolumeClaimSpec: podField<{ readonly [field: string]: unknown }>().optional(),
  /** Image of the init container that waits for the DNS name of the member. */
  busyboxImage: z.string().default("busybox:1.28.0-glibc"),
  securityContext: podField<Defined<PodSpec["securityContext"]>>().optional(),
  /** How long the init container waits for the DNS name of the member, in seconds. 0: until it resolves. */
  DNSTimeoutInSecond: z.int32().min(0).default(0),
  /** The DNS domain of the cluster, such as `.cluster.local`. Empty: names end with `.svc`. */
  ClusterDomain: z.string().max(253).default(""),
});

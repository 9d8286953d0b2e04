import type { ServerAddress } from "@kubewright/cluster/real-node";
import type { Transport } from "@kubewright/core/transport";

/** A control plane that a real node can join. */
export interface JoinablePlane {
  /** As the node reaches it. */
  readonly server: ServerAddress;
  /** Requests of the administrator. */
  readonly transport: Transport;
  /** Of the administrator, on the host. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

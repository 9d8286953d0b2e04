/** Where a request goes that the API server only forwards. */
export interface ConnectTarget {
  /** With path and query. */
  readonly url: string;
  /**
   * A kubelet gets the client certificate of the API server and must show a certificate of the cluster's CA, unless it is `unverified`. The
   * certificate of a workload is not verified, as in kube-apiserver.
   */
  readonly peer: "kubelet" | "unverified kubelet" | "workload";
  /** Only requests that upgrade the connection are forwarded: exec, attach and portforward. */
  readonly isUpgrade: boolean;
}

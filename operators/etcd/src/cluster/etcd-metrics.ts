import { Counter, Gauge, Histogram } from "prom-client";
import { EtcdError } from "../members/etcd-members.js";

const counter = (name: string, help: string): Counter =>
  new Counter({ name: `etcd_operator_controller_${name}`, help, registers: [] });

/** The metrics of the operator, with the names that dashboards of etcd clusters know. */
export class EtcdMetrics {
  readonly #known = new Set<string>();
  readonly #clusters = new Gauge({
    name: "etcd_operator_controller_clusters",
    help: "EtcdClusters that this operator works on",
    registers: [],
  });
  readonly #created = counter("clusters_created", "EtcdClusters that were created");
  readonly #deleted = counter("clusters_deleted", "EtcdClusters that were deleted");
  readonly #modified = counter("clusters_modified", "Changes of the spec of an EtcdCluster");
  readonly #failed = counter("clusters_failed", "EtcdClusters that moved to the phase Failed");
  readonly #duration = new Histogram({
    name: "etcd_operator_cluster_reconcile_duration",
    help: "Seconds of a run, by cluster",
    labelNames: ["ClusterName"],
    registers: [],
  });
  readonly #runsFailed = new Counter({
    name: "etcd_operator_cluster_reconcile_failed",
    help: "Runs that failed or found no quorum, by reason",
    labelNames: ["Reason"],
    registers: [],
  });

  get all() {
    return [
      this.#clusters,
      this.#created,
      this.#deleted,
      this.#modified,
      this.#failed,
      this.#duration,
      this.#runsFailed,
    ];
  }

  /** Counts a cluster at the begin of a run. */
  seen(key: string, what: "created" | "modified" | "unchanged"): void {
    this.#known.add(key);
    this.#clusters.set(this.#known.size);
    if (what === "created") this.#created.inc();
    if (what === "modified") this.#modified.inc();
  }

  gone(key: string, name: string): void {
    if (!this.#known.delete(key)) return;
    this.#clusters.set(this.#known.size);
    this.#deleted.inc();
    this.#duration.remove({ ClusterName: name });
  }

  failed(): void {
    this.#failed.inc();
  }

  took(name: string, ms: number): void {
    this.#duration.observe({ ClusterName: name }, ms / 1_000);
  }

  runFailed(error: unknown): void {
    const isKnown = error === "lost quorum" || error instanceof EtcdError;
    this.#runsFailed.inc({ Reason: error instanceof EtcdError ? error.reason : isKnown ? String(error) : "error" });
  }
}

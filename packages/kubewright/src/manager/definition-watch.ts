import type { Clock } from "@kubewright/core/clock";
import { isForbidden, isNotFound } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { InformerSet } from "../cache/index.js";
import type { Client } from "../client/index.js";
import { type AnyKind, besides, type ReadOf } from "../definition/index.js";
import { CustomResourceDefinition } from "../k8s/apiextensions/v1.gen.js";
import { ListWatch, type WatchEvent } from "../watch/index.js";

/** What watching CRDs needs. */
export interface DefinitionWatchOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly informers: () => InformerSet;
}

/**
 * Detects when a missing kind becomes served, by watching CustomResourceDefinitions instead of polling.
 *
 * The watch starts with the first missing kind, and stays open: such a kind may come and go. Caches of a kind whose CRD is established relist at
 * once; those of a deleted CRD are emptied, with tombstones. Without the permission to watch CRDs, and for kinds of aggregated API servers, caches
 * retry with backoff.
 */
export class DefinitionWatch {
  readonly #options: DefinitionWatchOptions;
  readonly #stop = new AbortController();
  /** Per cluster, the names of the established CRDs; undefined until the first list arrived. */
  readonly #established = new Map<string, Set<string> | undefined>();
  readonly #running: Promise<void>[] = [];

  constructor(options: DefinitionWatchOptions) {
    this.#options = options;
  }

  /** Handles the failure of a cache's list or watch. */
  failed(kind: AnyKind, error: unknown): void {
    if (!isNotFound(error) || !kind.group.includes(".") || this.#stop.signal.aborted) return;
    const cluster = kind.cluster ?? "";
    if (!this.#established.has(cluster)) this.#begin(kind, cluster);
    else if (this.#established.get(cluster)?.has(nameOf(kind)) === false) this.#vanished(kind);
  }

  /** Resolves when nothing of it runs. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #begin(kind: AnyKind, cluster: string): void {
    const { client, clock, random, logger } = this.#options;
    this.#established.set(cluster, undefined);
    const end = new AbortController();
    const definitions = new ListWatch({
      kind: besides(kind, CustomResourceDefinition),
      client,
      clock,
      random,
      onFailure: (error) => {
        if (!isForbidden(error)) return;
        end.abort();
        logger.warn({ err: error }, "Cannot watch CustomResourceDefinitions; retrying missing kinds with backoff");
      },
      deliver: (event) => this.#receive(cluster, event),
    });
    this.#running.push(definitions.run(AbortSignal.any([this.#stop.signal, end.signal])));
  }

  #receive(cluster: string, event: WatchEvent<typeof CustomResourceDefinition>): void {
    switch (event.type) {
      case "replaced": {
        const established = new Set(event.objects.filter(isEstablished).map(({ metadata }) => metadata.name));
        this.#established.set(cluster, established);
        for (const kind of this.#failingKinds(cluster)) {
          if (established.has(nameOf(kind))) this.#retry(kind);
          else this.#vanished(kind);
        }
        return;
      }
      case "added":
      case "modified":
        this.#changed(cluster, event.object.metadata.name, isEstablished(event.object));
        return;
      case "deleted":
        this.#changed(cluster, event.object.metadata.name, false);
        return;
      case "bookmark":
        return;
      default:
        event satisfies never;
    }
  }

  #changed(cluster: string, name: string, established: boolean): void {
    const known = this.#established.get(cluster);
    if (established) known?.add(name);
    else known?.delete(name);
    if (established) for (const kind of this.#failingKinds(cluster)) if (nameOf(kind) === name) this.#retry(kind);
  }

  /** Kinds whose caches back off because they are not served. */
  #failingKinds(cluster: string): AnyKind[] {
    const failing = this.#options
      .informers()
      .all.filter(({ state }) => state.kind === "backoff" && isNotFound(state.error));
    return failing
      .map(({ kind }) => kind)
      .filter((kind) => (kind.cluster ?? "") === cluster && kind.group.includes("."));
  }

  #retry(kind: AnyKind): void {
    for (const informer of this.#options.informers().all) if (informer.kind.id === kind.id) informer.retryNow();
  }

  #vanished(kind: AnyKind): void {
    for (const informer of this.#options.informers().all) {
      if (informer.kind.id !== kind.id || informer.size === 0) continue;
      this.#options.logger.warn({ kind: kind.id }, "Kind is no longer served, its objects count as deleted");
      informer.vanished();
    }
  }
}

function nameOf({ plural, group }: AnyKind): string {
  return `${plural}.${group}`;
}

function isEstablished({ status }: ReadOf<typeof CustomResourceDefinition>): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === "Established" && condition.status === "True") === true
  );
}

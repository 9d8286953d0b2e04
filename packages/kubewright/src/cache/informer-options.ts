import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client, StageListener } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import type { Selection } from "./selection.js";

/** Options of an informer. */
export interface InformerOptions<K extends AnyKind> {
  readonly kind: K;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** The namespaces to watch. @default all */
  readonly namespaces?: readonly string[];
  /** Which objects of the kind to cache, and which parts of them. @default everything */
  readonly selection?: Selection;
  /** Whether objects keep `metadata.managedFields`. @default false */
  readonly managedFields?: boolean;
  /** Whether to stream the initial list as part of the watch (sendInitialEvents) if the server supports it. @default true */
  readonly streaming?: boolean;
  /** Called for each failed list or watch, before the backoff. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
  readonly logger?: Logger;
  readonly onStage?: StageListener;
}

/** A handler that was added to an informer. */
export interface HandlerRegistration {
  /** Whether the handler has received the initial list. */
  readonly synced: boolean;
  /** The handler receives no more changes. */
  remove(): void;
}

/** Options of `addHandler`. */
export interface HandlerOptions {
  /**
   * Resync period: replays all cached objects to the handler, each as an update with equal old and new, without a request. At least 1,000. Each
   * period has 10 % jitter, so that replicas that started together drift apart. @default never
   */
  readonly resyncMs?: number;
}

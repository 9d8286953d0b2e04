import type { Connection } from "../transport/index.js";
import type { LeaseSettings } from "./lease-options.js";

/** The workerData of the renewal thread. */
export interface LeaseWorkerStart {
  readonly kubewrightLease: true;
  readonly settings: LeaseSettings;
  readonly connection: Connection;
  readonly userAgent: string;
  readonly memory: SharedArrayBuffer;
  /** Whether to post a message for each request. */
  readonly countRequests: boolean;
}

/** Messages from the renewal thread. */
export type FromLeaseWorker =
  | { readonly kind: "acquired" }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "log"; readonly level: "info" | "warn"; readonly fields: LogData; readonly message: string }
  /** A request was sent; `code` is `<error>` without a response. */
  | {
      readonly kind: "request";
      readonly method: string;
      readonly host: string;
      readonly code: string;
      readonly seconds: number | undefined;
    }
  /** The thread has finished. */
  | { readonly kind: "ended" };

/** Messages to the renewal thread. */
export type ToLeaseWorker = { readonly kind: "release" } | { readonly kind: "abandon" };

/** Log fields that can be posted: errors as their message. */
export type LogData = Readonly<Record<string, string | number | boolean>>;

/** Reports whether a thread was started by {@link WorkerElection}: bundled code may load this file in other threads. */
export function isLeaseWorkerStart(data: unknown): data is LeaseWorkerStart {
  return typeof data === "object" && data !== null && "kubewrightLease" in data && data.kubewrightLease === true;
}

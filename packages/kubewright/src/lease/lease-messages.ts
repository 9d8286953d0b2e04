import type { Connection } from "../transport/index.js";
import type { LeaseSettings } from "./lease-options.js";

/** What the renewing thread begins with. */
export interface LeaseWorkerStart {
  readonly kubewrightLease: true;
  readonly settings: LeaseSettings;
  readonly connection: Connection;
  readonly userAgent: string;
  readonly memory: SharedArrayBuffer;
}

/** What the renewing thread says. */
export type FromLeaseWorker =
  | { readonly kind: "acquired" }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "log"; readonly level: "info" | "warn"; readonly fields: LogData; readonly message: string }
  /** Nothing of it runs any more. */
  | { readonly kind: "ended" };

/** What the renewing thread is told. */
export type ToLeaseWorker = { readonly kind: "release" } | { readonly kind: "abandon" };

/** Fields of a log line that can travel: errors as their text. */
export type LogData = Readonly<Record<string, string | number | boolean>>;

/** Tells whether data that a thread was started with is ours: others may load the same file. */
export function isLeaseWorkerStart(data: unknown): data is LeaseWorkerStart {
  return typeof data === "object" && data !== null && "kubewrightLease" in data && data.kubewrightLease === true;
}

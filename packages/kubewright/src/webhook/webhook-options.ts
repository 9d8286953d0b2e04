import type { Logger } from "@kubewright/core/log";
import type { AnyKind } from "../definition/index.js";
import type { ServingCertificate } from "./serving-certificate.js";

/** Options of `serveWebhooks`. */
export interface WebhookServerOptions {
  /** Resources with conversion functions are converted at `/convert`. */
  readonly resources: readonly AnyKind[];
  /** The listen address; port 0 selects a free port. @default ":9443" */
  readonly address?: string;
  /** The serving certificate. @default `tls.crt` and `tls.key` of `certDir` */
  readonly certificate?: ServingCertificate;
  /** The directory of the serving certificate, reloaded when it changes. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly certDir?: string;
  /** Larger request bodies are rejected with 413. @default 67_108_864 */
  readonly maxBodyBytes?: number;
  /** Logs startup and certificate reloads. @default nothing is logged */
  readonly logger?: Logger;
}

/** A running webhook server. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** Lets the process exit while the server listens. */
  unref(): void;
  /** Closes open connections, and resolves when the server has stopped. */
  close(): Promise<void>;
}

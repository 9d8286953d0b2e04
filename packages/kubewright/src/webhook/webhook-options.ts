import type { Logger } from "@kubewright/core/log";
import type { AnyKind } from "../definition/index.js";
import type { ServingCertificate } from "./serving-certificate.js";

/** How webhooks are served. */
export interface WebhookServerOptions {
  /** Resources with conversion functions are converted at `/convert`. */
  readonly resources: readonly AnyKind[];
  /** Where to listen; port 0 takes a free one. @default ":9443" */
  readonly address?: string;
  /** The serving certificate. @default `tls.crt` and `tls.key` of `certDir` */
  readonly certificate?: ServingCertificate;
  /** The directory of the certificate, reloaded when it changes. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly certDir?: string;
  /** Larger requests are rejected. @default 67_108_864 */
  readonly maxBodyBytes?: number;
  /** Receives the log. @default nothing is logged */
  readonly logger?: Logger;
}

/** A running webhook server. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** Lets the process exit while it listens. */
  unref(): void;
  /** Closes open connections, and resolves when the server has stopped. */
  close(): Promise<void>;
}

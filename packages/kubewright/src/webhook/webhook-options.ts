import type { Logger } from "@kubewright/core/log";
import type { AnyKind } from "../definition/index.js";
import type { ServingCertificate } from "./serving-certificate.js";

/** How webhooks are served. */
export interface WebhookServerOptions {
  /** Those of them with conversion functions are converted at `/convert`. */
  readonly resources: readonly AnyKind[];
  /** Where to listen; port 0 takes a free one. @default ":9443" */
  readonly address?: string;
  /** @default `tls.crt` and `tls.key` of `certDir` */
  readonly certificate?: ServingCertificate;
  /** Is read again when it changes. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly certDir?: string;
  /** Larger requests are refused. @default 67_108_864 */
  readonly maxBodyBytes?: number;
  /** @default nothing is logged */
  readonly logger?: Logger;
}

/** Webhooks that are being served. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** Lets this process end while it is served. */
  unref(): void;
  /** Ends open connections, and resolves when nothing of it is left. */
  close(): Promise<void>;
}

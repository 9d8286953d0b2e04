import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { AnyKind } from "../definition/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import type { CertificateSource, ServingCertificate } from "./serving-certificate.js";
import type { Webhook } from "./webhook.js";
import type { WebhookHandler } from "./webhook-handler.js";

/** Options of `serveWebhooks`. */
export interface WebhookServerOptions {
  /** Defaulters and validators. @default none */
  readonly webhooks?: readonly Webhook[];
  /** Resources with conversion functions are converted at `/convert`. @default none */
  readonly resources?: readonly AnyKind[];
  /** Handles the reviews, instead of one that is made from `webhooks` and `resources`. */
  readonly handler?: WebhookHandler;
  /** The listen address; port 0 selects a free port. @default ":9443" */
  readonly address?: string;
  /** The serving certificate, or where it comes from while the server runs. @default `tls.crt` and `tls.key` of `certDir` */
  readonly certificate?: ServingCertificate | CertificateSource;
  /** The directory of the serving certificate, reloaded when it changes. @default "/tmp/k8s-webhook-server/serving-certs" */
  readonly certDir?: string;
  /** Larger ConversionReviews are rejected with 413. @default 67_108_864 */
  readonly maxBodyBytes?: number;
  /** Larger AdmissionReviews are denied with code 413. @default 7_340_032 */
  readonly maxAdmissionBytes?: number;
  /** Further requests at the same time get status 429, after which the API server retries. @default 500 */
  readonly maxRequestsInFlight?: number;
  /** PEM certificates of CAs: clients must have a certificate that one of them signed. @default clients need no certificate */
  readonly clientCa?: string;
  /** Counts requests, as controller-runtime does. @default nothing is counted */
  readonly metrics?: OperatorMetrics;
  /** Records an OpenTelemetry span for each request, in the trace of the API server. Needs the package `@opentelemetry/api`. @default false */
  readonly tracing?: boolean;
  /** Logs startup, certificate reloads and failures. @default nothing is logged */
  readonly logger?: Logger;
  /** @default the machine's time */
  readonly clock?: Clock;
}

/** A running webhook server. */
export interface WebhookServer extends AsyncDisposable {
  readonly port: number;
  /** Handles the reviews. */
  readonly handler: WebhookHandler;
  /** Throws when it does not listen or its certificate has expired: for health checks. */
  check(): void;
  /** Lets the process exit while the server listens. */
  unref(): void;
  /** Accepts no more connections, awaits the requests in flight for at most 30 s, and resolves when the server has stopped. */
  close(): Promise<void>;
}

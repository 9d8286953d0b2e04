import { X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import { systemClock } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import { silentLogger } from "@kubewright/core/log";
import { RequestListener } from "./request-listener.js";
import {
  type CertificateSource,
  certificateFiles,
  fixedCertificate,
  type ServingCertificate,
} from "./serving-certificate.js";
import { createWebhookHandler } from "./webhook-handler.js";
import type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";

/** Timeouts of a server that only an API server calls. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 90_000, maxHeaderSize: 16_384 };

/** How long requests in flight may take after `close`: the longest timeout of a webhook. */
const drainMs = 30_000;

/** See `serveWebhooks`. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { address = ":9443", logger = silentLogger, clock = systemClock, metrics } = options;
  const handler =
    options.handler ??
    createWebhookHandler({
      webhooks: options.webhooks ?? [],
      resources: options.resources ?? [],
      logger,
      clock,
      ...(metrics && { onFailure: () => metrics.webhookFailed() }),
    });
  const source = certificateSource(options);
  const first = await source.load();
  let expiresAtMs = expiryOf(first);
  const tracing = options.tracing === true ? await (await import("../tracing/index.js")).createTracing() : undefined;
  const { tracing: _, ...limited } = options;
  const listener = new RequestListener(handler, { ...limited, clock, ...(tracing && { tracing }) });
  const server = createServer({ ...limits, ...secureContext(first, options) }, listener.listen);
  const port = await new Promise<number>((resolve, reject) => {
    const [host, number] = splitAddress(address);
    server.once("error", (cause) => {
      reject(new OperatorError("CONFIG_INVALID", `Cannot serve webhooks on "${address}": ${cause.message}`, { cause }));
    });
    server.listen(number, host, () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : number);
    });
  });
  const renew = (): void => {
    source
      .load()
      .then((renewed) => {
        server.setSecureContext(secureContext(renewed, options));
        expiresAtMs = expiryOf(renewed);
        logger.info({ port }, "Reloaded the webhook certificate");
      })
      .catch((err: unknown) => logger.warn({ err }, "Cannot use the new webhook certificate, keeping the old one"));
  };
  const watcher = source.watch(renew);
  logger.info({ port, paths: handler.paths }, "Serving webhooks");
  const close = async (): Promise<void> => {
    watcher[Symbol.dispose]();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await listener.drain(drainMs);
    server.closeAllConnections();
    await closed;
  };
  const check = (): void => {
    if (!server.listening) throw new Error("The webhook server does not listen");
    if (clock.now() > expiresAtMs) throw new Error("The webhook certificate has expired");
  };
  return { port, handler, check, close, unref: () => void server.unref(), [Symbol.asyncDispose]: close };
}

function certificateSource({
  certificate,
  certDir = "/tmp/k8s-webhook-server/serving-certs",
}: WebhookServerOptions): CertificateSource {
  if (certificate === undefined) return certificateFiles(certDir);
  return "load" in certificate ? certificate : fixedCertificate(certificate);
}

function expiryOf({ certificate }: ServingCertificate): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

function secureContext(
  { certificate, privateKey }: ServingCertificate,
  { clientCa }: WebhookServerOptions,
): {
  cert: string;
  key: string;
  minVersion: "TLSv1.2";
  ca?: string;
  requestCert?: boolean;
  rejectUnauthorized?: boolean;
} {
  const clients = clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  return { cert: certificate, key: privateKey, minVersion: "TLSv1.2", ...clients };
}

function splitAddress(address: string): [host: string | undefined, port: number] {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(address) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot serve webhooks on "${address}": it is not of the form ":9443" or "127.0.0.1:9443"`,
    );
  return [host === "" ? undefined : host.replace(/^\[|\]$/g, ""), Number(port)];
}

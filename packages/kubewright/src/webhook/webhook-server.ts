import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { OperatorError } from "@kubewright/core/errors";
import { parseJson, stringifyJson } from "@kubewright/core/json";
import { silentLogger } from "@kubewright/core/log";
import { isResource } from "../definition/index.js";
import { answerConversionReview } from "./conversion-review.js";
import { readCertificate, type ServingCertificate, watchCertificate } from "./serving-certificate.js";
import type { WebhookServer, WebhookServerOptions } from "./webhook-options.js";

/** Timeouts of a server that only an API server calls. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 90_000, maxHeaderSize: 16_384 };

/** The response to the JSON body of a request; undefined when this path does not accept it. */
type Route = (body: unknown) => object | undefined;

/** See `serveWebhooks`. */
export async function startWebhookServer(options: WebhookServerOptions): Promise<WebhookServer> {
  const { address = ":9443", certDir = "/tmp/k8s-webhook-server/serving-certs", maxBodyBytes = 67_108_864 } = options;
  const { logger = silentLogger } = options;
  const read = async () => options.certificate ?? (await readCertificate(certDir));
  const routes = routesOf(options);
  const server = createServer({ ...limits, ...secureContext(await read()) }, (request, response) => {
    void respond(request, response, routes, maxBodyBytes);
  });
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
    read()
      .then((renewed) => {
        server.setSecureContext(secureContext(renewed));
        logger.info({ port }, "Reloaded the webhook certificate");
      })
      .catch((err: unknown) => logger.warn({ err }, "Cannot use the new webhook certificate, keeping the old one"));
  };
  const watcher = options.certificate === undefined ? watchCertificate(certDir, renew) : undefined;
  logger.info({ port, paths: [...routes.keys()] }, "Serving webhooks");
  const close = (): Promise<void> => {
    watcher?.close();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { port, close, unref: () => void server.unref(), [Symbol.asyncDispose]: close };
}

function routesOf({ resources }: WebhookServerOptions): ReadonlyMap<string, Route> {
  const converted = resources.filter(isResource).filter(({ definition }) => definition.conversions !== undefined);
  return new Map([["/convert", (body) => answerConversionReview(body, converted)]]);
}

function secureContext({ certificate, privateKey }: ServingCertificate): {
  cert: string;
  key: string;
  minVersion: "TLSv1.2";
} {
  return { cert: certificate, key: privateKey, minVersion: "TLSv1.2" };
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

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReadonlyMap<string, Route>,
  maxBodyBytes: number,
): Promise<void> {
  const end = (status: number, body: object): void => {
    // The unread rest of a rejected body must not be parsed as the next request.
    if (status >= 400) response.setHeader("connection", "close");
    response.writeHead(status, { "content-type": "application/json" }).end(stringifyJson(body));
  };
  try {
    const route = routes.get(new URL(request.url ?? "/", "https://localhost").pathname);
    if (route === undefined) return end(404, { message: "No webhook is served at this path" });
    if (request.method !== "POST") return end(405, { message: "Method not allowed: use POST" });
    const text = await bodyOf(request, maxBodyBytes);
    if (text === undefined) return end(413, { message: `The request body is larger than ${maxBodyBytes} bytes` });
    const result = route(parseJson(text));
    end(result === undefined ? 400 : 200, result ?? { message: "The request body is not a supported review" });
  } catch (error) {
    end(error instanceof SyntaxError ? 400 : 500, { message: error instanceof Error ? error.message : String(error) });
  }
}

/** The request body as a string; undefined when it is too large. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

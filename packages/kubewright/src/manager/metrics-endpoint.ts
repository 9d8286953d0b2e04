import { type Clock, systemClock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import { AccessReviews } from "./access-reviews.js";
import { type EndpointAnswer, type EndpointHandler, type HttpEndpoint, listenHttp } from "./http-endpoint.js";
import { ServingCertificate } from "./serving-certificate.js";

/** How metrics are served over HTTPS. */
export interface SecureMetricsOptions {
  /**
   * A directory with `tls.crt` and `tls.key`, such as a mounted Secret; changed files are reloaded. @default a self-signed certificate
   */
  readonly certDir?: string;
  /**
   * Requires the bearer token of a user whom RBAC allows to `get` the non-resource URL `/metrics`. The operator must be allowed to create TokenReviews
   * and SubjectAccessReviews (ClusterRole `system:auth-delegator`). @default true
   */
  readonly authorize?: boolean;
}

/** Serves `/metrics` and the paths of `debug`: over HTTPS with access reviews by `client` where `security` is given, else over plain HTTP. */
export function listenMetrics(
  address: string,
  metrics: Pick<OperatorMetrics, "text" | "contentType">,
  options: {
    readonly security: SecureMetricsOptions | undefined;
    readonly client: Client;
    readonly logger: Logger;
    readonly clock?: Clock;
    /** Serves other paths. @default none */
    readonly debug?: EndpointHandler;
    /** Paths of `debug` that accept PUT. */
    readonly puts?: readonly string[];
  },
): Promise<HttpEndpoint> {
  const { security, client, logger, clock = systemClock, debug, puts = [] } = options;
  const reviews =
    security !== undefined && security.authorize !== false ? new AccessReviews({ client, clock }) : undefined;
  const certificate =
    security === undefined ? undefined : new ServingCertificate({ folder: security.certDir, clock, logger });
  const serve: EndpointHandler = (url, request) =>
    url.pathname === "/metrics" ? exposition(metrics) : debug?.(url, request);
  return listenHttp(
    address,
    (url, request) => {
      if (reviews === undefined) return serve(url, request);
      const { method, authorization } = request;
      // Before the path: an unauthenticated client learns nothing, not even which paths exist.
      return reviews.review({ authorization, method, path: url.pathname }).then(
        (access): EndpointAnswer | Promise<EndpointAnswer> => {
          if (access.kind === "refused") return { status: access.status, body: `${access.why}\n` };
          return serve(url, request) ?? { status: 404, body: "404 page not found\n" };
        },
        (err: unknown) => {
          logger.error({ err }, "Cannot authorize access to metrics");
          return { status: 500, body: "Authentication failed\n" };
        },
      );
    },
    { certificate, puts },
  );
}

async function exposition(metrics: Pick<OperatorMetrics, "text" | "contentType">): Promise<EndpointAnswer> {
  return { status: 200, body: await metrics.text(), contentType: metrics.contentType };
}

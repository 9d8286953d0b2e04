import { type Clock, systemClock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import { AccessReviews } from "./access-reviews.js";
import { type EndpointAnswer, type HttpEndpoint, listenHttp } from "./http-endpoint.js";
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

/** Serves `/metrics`: over HTTPS with access reviews by `client` where `security` is given, else over plain HTTP. */
export function listenMetrics(
  address: string,
  metrics: Pick<OperatorMetrics, "text" | "contentType">,
  options: {
    readonly security: SecureMetricsOptions | undefined;
    readonly client: Client;
    readonly logger: Logger;
    readonly clock?: Clock;
  },
): Promise<HttpEndpoint> {
  const { security, client, logger, clock = systemClock } = options;
  const reviews =
    security !== undefined && security.authorize !== false ? new AccessReviews({ client, clock }) : undefined;
  const certificate =
    security === undefined ? undefined : new ServingCertificate({ folder: security.certDir, clock, logger });
  return listenHttp(
    address,
    (url, { method, authorization }) => {
      if (reviews === undefined) return url.pathname === "/metrics" ? exposition(metrics) : undefined;
      // Before the path: an unauthenticated client learns nothing, not even which paths exist.
      return reviews.review({ authorization, method, path: url.pathname }).then(
        (access): EndpointAnswer | Promise<EndpointAnswer> => {
          if (access.kind === "refused") return { status: access.status, body: `${access.why}\n` };
          return url.pathname === "/metrics" ? exposition(metrics) : { status: 404, body: "404 page not found\n" };
        },
        (err: unknown) => {
          logger.error({ err }, "Cannot authorize access to metrics");
          return { status: 500, body: "Authentication failed\n" };
        },
      );
    },
    certificate,
  );
}

async function exposition(metrics: Pick<OperatorMetrics, "text" | "contentType">): Promise<EndpointAnswer> {
  return { status: 200, body: await metrics.text(), contentType: metrics.contentType };
}

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
   * A folder with `tls.crt` and `tls.key`, as a Secret is mounted; files that are replaced are taken up. @default a certificate is made for this
   * process, that nobody vouches for
   */
  readonly certDir?: string;
  /**
   * Answers only who sends the token of a user that may `get` the path `/metrics` by the cluster's RBAC. The operator needs the right to create
   * TokenReviews and SubjectAccessReviews (ClusterRole `system:auth-delegator`). @default true
   */
  readonly authorize?: boolean;
}

/** Serves `/metrics`. `security` makes it HTTPS, with `client` to ask who may; undefined is plain HTTP for everybody. */
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
      // Before the path: a stranger learns nothing, not even what is there.
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

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CertificateAuthority } from "@kubewright/core/certificates";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { Client } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import { podNamespace } from "../lease/index.js";
import type { OperatorMetrics } from "../metrics/index.js";
import {
  type CertificateSource,
  type CertificateTimes,
  certificateFiles,
  fixedCertificate,
  manageCertificates,
  type Webhook,
  webhookTargets,
} from "../webhook/index.js";

/** The certificate that an operator issues for its webhooks and keeps in a Secret. */
export interface WebhookCertificateOptions extends CertificateTimes {
  /** The namespace of the Secret and of the webhooks' Service. @default the pod's; required outside a cluster */
  readonly namespace?: string;
  /** @default the operator's name and "-webhook-certificates" */
  readonly secretName?: string;
  /** More DNS names and IP addresses of the webhooks, for configurations with a URL. @default none */
  readonly hosts?: readonly string[];
}

/** Which certificate the webhooks of an operator serve. */
export interface CertificateChoice {
  /** Where the webhooks' `tls.crt` and `tls.key` are, for instance those of cert-manager. @default "/tmp/k8s-webhook-server/serving-certs", where it has them */
  readonly webhookCertDir?: string;
  /**
   * The operator issues the certificate of its webhooks, keeps it in a Secret, publishes its CA in the webhook configurations and CRDs, and rotates both; no
   * cert-manager is needed. Without `webhookCertDir` and its files that is what happens in a pod. @default in a pod without certificate files
   */
  readonly webhookCertificates?: WebhookCertificateOptions;
  /**
   * For local development: the URL at which the API server reaches this process, such as `https://127.0.0.1:9443`, or that of a tunnel that forwards TCP. The
   * operator then serves a certificate of its own for that host, installs its webhook configurations with that URL, and deletes them when it stops.
   * `installCRDs` refers conversions to it. @default none: manifests have the configurations
   */
  readonly webhookUrl?: string;
}

/** How CRDs refer to the conversion webhook of this process. */
export type ConversionReference =
  | { readonly url: string; readonly caBundle: string }
  | { readonly service: { readonly namespace: string; readonly name: string; readonly path: string } };

/** The certificate of a webhook server. */
export interface ChosenCertificate {
  readonly source: CertificateSource;
  /** With `webhookUrl`. */
  readonly local: { readonly url: string; readonly caBundle: string } | undefined;
  /** Undefined where only manifests know it. */
  readonly conversionWebhook: ConversionReference | undefined;
  /** Stops what renews it. */
  close(): Promise<void>;
}

/** The operator whose webhooks are served. */
export interface CertificateSubject {
  readonly name: string;
  readonly webhooks: readonly Webhook[];
  readonly kinds: readonly AnyKind[];
  readonly client: Client;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics | undefined;
}

const defaultFolder = "/tmp/k8s-webhook-server/serving-certs";

/** Chooses the certificate: `webhookUrl`, `webhookCertDir`, `webhookCertificates`, the files of the default directory, one that the operator issues. */
export async function chooseCertificate(
  subject: CertificateSubject,
  options: CertificateChoice,
): Promise<ChosenCertificate> {
  const { webhookUrl, webhookCertDir, webhookCertificates } = options;
  if (webhookUrl !== undefined) return localCertificate(webhookUrl);
  const isIssued = webhookCertificates !== undefined || !existsSync(join(defaultFolder, "tls.crt"));
  const namespace = webhookCertificates?.namespace ?? (await podNamespace());
  if (webhookCertDir === undefined && isIssued && namespace !== undefined)
    return issuedCertificate(subject, namespace, webhookCertificates ?? {});
  if (webhookCertDir === undefined && webhookCertificates !== undefined)
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot issue the webhook certificate of operator "${subject.name}": the namespace is unknown outside a pod; set "namespace" of \`webhookCertificates\``,
    );
  const source = certificateFiles(webhookCertDir ?? defaultFolder);
  return { source, local: undefined, conversionWebhook: undefined, close: async () => {} };
}

/** A certificate for the host of a URL, by a CA that exists as long as this process. */
function localCertificate(webhookUrl: string): ChosenCertificate {
  const { hostname } = new URL(webhookUrl);
  const authority = new CertificateAuthority("kubewright-webhooks");
  const url = webhookUrl.replace(/\/$/, "");
  const caBundle = Buffer.from(authority.certificate).toString("base64");
  return {
    source: fixedCertificate(authority.issueServer(hostname, [hostname.replace(/^\[|\]$/g, "")])),
    local: { url, caBundle },
    conversionWebhook: { url: `${url}/convert`, caBundle },
    close: async () => {},
  };
}

function issuedCertificate(
  { name, webhooks, kinds, client, logger, metrics }: CertificateSubject,
  namespace: string,
  options: WebhookCertificateOptions,
): ChosenCertificate {
  const stop = new AbortController();
  const targets = webhookTargets(name, webhooks, kinds);
  const services = { client, logger, signal: stop.signal, ...(metrics && { metrics }) };
  const source = manageCertificates({ ...targets, ...options, ...services, name, namespace });
  return {
    source,
    local: undefined,
    conversionWebhook: { service: { namespace, name: targets.serviceName, path: "/convert" } },
    close: async () => {
      stop.abort(new OperatorError("STOPPED", `Cannot continue: operator "${name}" is stopping`));
      await source.stopped;
    },
  };
}

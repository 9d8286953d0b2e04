import { type AnyKind, isResource } from "../definition/index.js";
import type { CertificateTargets } from "./certificates/index.js";
import type { Webhook } from "./webhook.js";
import { webhookNames } from "./webhook-configurations.js";

/** What the certificate of an operator's webhooks is for, by name. */
export interface WebhookTargets extends CertificateTargets {
  readonly secretName: string;
  readonly serviceName: string;
}

/** The Secret, the Service, the webhook configurations and the CRDs of an operator's webhooks: what `manageCertificates` and `certificateRules` take. */
export function webhookTargets(
  operator: string,
  webhooks: readonly Webhook[],
  kinds: readonly AnyKind[],
): WebhookTargets {
  const names = webhookNames(operator);
  const converted = kinds.filter(isResource).filter(({ definition }) => definition.conversions !== undefined);
  const crds = new Set(converted.map(({ definition: { plural, group } }) => `${plural}.${group}`));
  return {
    secretName: names.secret,
    serviceName: names.service,
    mutating: webhooks.some(({ mutating }) => mutating !== undefined) ? [names.mutating] : [],
    validating: webhooks.some(({ validating }) => validating !== undefined) ? [names.validating] : [],
    crds: [...crds],
  };
}

import type { ObjectConverter } from "@kubewright/cluster";
import { CertificateAuthority } from "@kubewright/core/certificates";
import type { Operator } from "kubewright";
import { type ConversionWebhook, convertObject } from "kubewright/crd";
import { serveWebhooks } from "kubewright/webhook";
import { definedKinds } from "./defined-kinds.js";

/** Conversion functions of the operator's resources for the embedded cluster, by CRD name. */
export function convertersOf(operator: Operator): ReadonlyMap<string, ObjectConverter> {
  return new Map(
    definedKinds(operator)
      .filter(({ definition }) => definition.conversions !== undefined)
      .map((kind) => [
        `${kind.definition.plural}.${kind.definition.group}`,
        (object, apiVersion) => convertObject(kind, object, apiVersion.slice(apiVersion.indexOf("/") + 1)),
      ]),
  );
}

/** Webhook of the CRDs in the embedded cluster. It is never called: the cluster calls the conversion functions in process. */
export const inProcessWebhook: ConversionWebhook = { url: "https://localhost/convert" };

const served = new Map<Operator, Promise<ConversionWebhook>>();

/**
 * The operator's conversion webhook, served on the loopback interface until the process exits; undefined for an operator without conversion
 * functions.
 *
 * It is not closed with a test: an API server still calls the previous webhook for a moment after a CRD changed.
 */
export function localWebhookOf(operator: Operator): Promise<ConversionWebhook> | undefined {
  if (convertersOf(operator).size === 0) return undefined;
  const webhook = served.get(operator) ?? serve(operator);
  served.set(operator, webhook);
  return webhook;
}

async function serve(operator: Operator): Promise<ConversionWebhook> {
  const authority = new CertificateAuthority("webhooks");
  const certificate = authority.issueServer("webhooks", ["127.0.0.1"]);
  const resources = definedKinds(operator);
  const server = await serveWebhooks({ resources, address: "127.0.0.1:0", certificate });
  server.unref();
  const caBundle = Buffer.from(authority.certificate).toString("base64");
  return { url: `https://127.0.0.1:${server.port}/convert`, caBundle };
}

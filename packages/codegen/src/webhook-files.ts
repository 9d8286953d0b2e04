import { isResource, type Operator } from "kubewright";
import type { ConversionWebhook } from "kubewright/crd";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

/** Where webhooks are served, and who issues their certificate. */
export interface WebhookFileOptions {
  readonly namespace: string;
  /** cert-manager issues the certificate and injects its CA into the CRDs. */
  readonly certManager: boolean;
  /** URL outside the cluster, instead of a Service: `https://hooks.example.com`. */
  readonly webhookUrl: string | undefined;
}

/** The conversion webhook of a resource; undefined without conversion functions. */
export function conversionWebhookOf(
  resource: DefinedResource,
  operators: readonly Operator[],
  { namespace, webhookUrl }: WebhookFileOptions,
): ConversionWebhook | undefined {
  if (resource.definition.conversions === undefined) return undefined;
  if (webhookUrl !== undefined) return { url: `${webhookUrl.replace(/\/$/, "")}/convert` };
  const owner = operators.find((operator) => convertedBy(operator).includes(resource.definition));
  return { service: { namespace, name: owner ? serviceName(owner) : "webhook-service", path: "/convert" } };
}

/** The annotation that makes cert-manager inject the CA bundle of the conversion webhook. */
export function injectionOf(
  resource: DefinedResource,
  operators: readonly Operator[],
  { namespace, certManager, webhookUrl }: WebhookFileOptions,
): Readonly<Record<string, string>> {
  const owner = operators.find((operator) => convertedBy(operator).includes(resource.definition));
  if (!certManager || webhookUrl !== undefined || owner === undefined) return {};
  return { "cert-manager.io/inject-ca-from": `${namespace}/${certificateName(owner)}` };
}

/** `webhook/`: the Service of each operator with webhooks, and its cert-manager Issuer and Certificate. */
export function webhookFiles(operators: readonly Operator[], options: WebhookFileOptions): GeneratedFile[] {
  if (options.webhookUrl !== undefined) return [];
  const serving = operators.filter((operator) => convertedBy(operator).length > 0);
  return serving.flatMap((operator) => {
    const folder = serving.length === 1 ? "webhook" : `webhook/${operator.name}`;
    return [
      serviceFile(folder, operator, options),
      ...(options.certManager ? certificateFiles(folder, operator, options) : []),
    ];
  });
}

function serviceFile(folder: string, operator: Operator, { namespace }: WebhookFileOptions): GeneratedFile {
  return yamlFile(
    `${folder}/service.yaml`,
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: serviceName(operator), namespace },
      spec: {
        ports: [{ port: 443, protocol: "TCP", targetPort: 9443 }],
        selector: { "app.kubernetes.io/name": operator.name },
      },
    },
    [
      `Selects Pods with the label app.kubernetes.io/name: ${operator.name}. Run the operator with webhookAddress ":9443".`,
    ],
  );
}

function certificateFiles(folder: string, operator: Operator, { namespace }: WebhookFileOptions): GeneratedFile[] {
  const issuer = `${operator.name}-selfsigned-issuer`;
  const host = `${serviceName(operator)}.${namespace}.svc`;
  const apiVersion = "cert-manager.io/v1";
  return [
    yamlFile(`${folder}/issuer.yaml`, {
      apiVersion,
      kind: "Issuer",
      metadata: { name: issuer, namespace },
      spec: { selfSigned: {} },
    }),
    yamlFile(
      `${folder}/certificate.yaml`,
      {
        apiVersion,
        kind: "Certificate",
        metadata: { name: certificateName(operator), namespace },
        spec: {
          dnsNames: [host, `${host}.cluster.local`],
          issuerRef: { kind: "Issuer", name: issuer },
          secretName: `${operator.name}-webhook-server-cert`,
        },
      },
      ["Mount its Secret in the operator's Pods at /tmp/k8s-webhook-server/serving-certs."],
    ),
  ];
}

/** The resources with conversion functions among the kinds that an operator reconciles or owns. */
function convertedBy({ controllers }: Operator): DefinedResource["definition"][] {
  return controllers
    .flatMap(({ kind, owns }) => [kind, ...owns])
    .filter(isResource)
    .flatMap(({ definition }) => (definition.conversions === undefined ? [] : [definition]));
}

function serviceName({ name }: Operator): string {
  return `${name}-webhook-service`;
}

function certificateName({ name }: Operator): string {
  return `${name}-serving-cert`;
}

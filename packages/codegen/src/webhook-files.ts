import { type AnyKind, isResource, type Operator } from "kubewright";
import type { ConversionWebhook } from "kubewright/crd";
import { webhookConfigurations, webhookNames, webhookTargets } from "kubewright/webhook";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";
import { certificateRoleFiles } from "./role-files.js";

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
  return injected(owner, namespace);
}

function injected(operator: Operator, namespace: string): Readonly<Record<string, string>> {
  return { "cert-manager.io/inject-ca-from": `${namespace}/${certificateName(operator)}` };
}

/** `webhook/`: the webhook configurations and the Service of each operator with webhooks, and its cert-manager Issuer and Certificate. */
export function webhookFiles(operators: readonly Operator[], options: WebhookFileOptions): GeneratedFile[] {
  const serving = operators.filter((operator) => servesWebhooks(operator));
  return serving.flatMap((operator) => {
    const folder = serving.length === 1 ? "webhook" : `webhook/${operator.name}`;
    const files = configurationFiles(folder, operator, options);
    if (options.webhookUrl !== undefined) return files;
    return [
      ...files,
      serviceFile(folder, operator, options),
      ...(options.certManager ? certificateFiles(folder, operator, options) : []),
    ];
  });
}

/** The RBAC manifests for the certificates that operators issue themselves: without cert-manager, and for webhooks in the cluster. */
export function webhookRoleFiles(operators: readonly Operator[], options: WebhookFileOptions): GeneratedFile[] {
  if (options.certManager || options.webhookUrl !== undefined) return [];
  return operators.filter(servesWebhooks).flatMap((operator) => {
    const folder = operators.length === 1 ? "rbac" : `rbac/${operator.name}`;
    const targets = webhookTargets(operator.name, operator.webhooks, webhookKinds(operator));
    return certificateRoleFiles(operator, folder, { namespace: options.namespace, targets });
  });
}

/** Whether an operator has defaulters, validators or conversion functions. */
export function servesWebhooks(operator: Operator): boolean {
  return operator.webhooks.length > 0 || convertsKinds(operator);
}

/** Whether the API server calls the operator to convert objects. */
export function convertsKinds(operator: Operator): boolean {
  return convertedBy(operator).length > 0;
}

function configurationFiles(
  folder: string,
  operator: Operator,
  { namespace, certManager, webhookUrl: url }: WebhookFileOptions,
): GeneratedFile[] {
  const configurations = webhookConfigurations(operator.webhooks, {
    operator: operator.name,
    ...(url === undefined ? { service: { namespace, name: serviceName(operator) } } : { url }),
    ...(certManager && url === undefined && { annotations: injected(operator, namespace) }),
  });
  return configurations.map((configuration) =>
    yamlFile(
      `${folder}/${configuration.kind === "MutatingWebhookConfiguration" ? "mutating" : "validating"}_webhook_configuration.yaml`,
      configuration,
    ),
  );
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
    {
      remarks: [
        `Selects Pods with the label app.kubernetes.io/name: ${operator.name}. The operator serves webhooks on port 9443.`,
      ],
    },
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
      { remarks: ["Mount its Secret in the operator's Pods at /tmp/k8s-webhook-server/serving-certs."] },
    ),
  ];
}

/** The resources with conversion functions among the kinds that an operator reconciles, owns or admits. */
function convertedBy(operator: Operator): DefinedResource["definition"][] {
  return webhookKinds(operator)
    .filter(isResource)
    .flatMap(({ definition }) => (definition.conversions === undefined ? [] : [definition]));
}

function webhookKinds({ controllers, webhooks }: Operator): AnyKind[] {
  const kinds = controllers.flatMap(({ kind, owns }) => [kind, ...owns]);
  return [...kinds, ...webhooks.flatMap(({ kind }) => (kind === undefined ? [] : [kind]))];
}

function serviceName({ name }: Operator): string {
  return webhookNames(name).service;
}

function certificateName({ name }: Operator): string {
  return `${name}-serving-cert`;
}

import { type AnyKind, isResource, type Operator } from "kubewright";
import type { DefinedResource } from "./defined-resource.js";
import { definitionFiles } from "./definition-files.js";
import type { GeneratedFile } from "./generated-file.js";
import { kustomizeFiles } from "./kustomize-files.js";
import { managerFiles } from "./manager-files.js";
import { metricsFiles } from "./metrics-files.js";
import { operatorRoleFiles, userRoleFiles } from "./role-files.js";
import { sampleFiles } from "./sample-files.js";
import { conversionWebhookOf, injectionOf, webhookFiles, webhookRoleFiles } from "./webhook-files.js";

/** Options of {@link generateManifests}. */
export interface GenerateOptions {
  /** Whose CRDs, roles and webhooks are generated. */
  readonly operators: readonly Operator[];
  /** Resources in addition to those of the operators' controllers. @default none */
  readonly resources?: readonly AnyKind[];
  /** Namespace of the operators. @default "default" */
  readonly namespace?: string;
  /** The operators watch their namespace only, and get a Role instead of a ClusterRole. @default false */
  readonly namespaced?: boolean;
  /** The operators use leader election. @default true */
  readonly leaderElection?: boolean;
  /** Grants the permission to install CRDs on start. @default false */
  readonly installCRDs?: boolean;
  /** Grants the permission to migrate stored objects to the storage version. @default false */
  readonly migrateStored?: boolean;
  /**
   * Truncates field descriptions; 0 omits them. `fit` truncates those of CRDs that are too large for `kubectl apply`.
   * @default no limit
   */
  readonly maxDescriptionLength?: number | "fit";
  /** cert-manager issues the webhook certificates and injects their CA into CRDs. @default false */
  readonly certManager?: boolean;
  /**
   * The container image of the operators. Adds a Deployment per operator, the Namespace, and kustomizations. @default none of these
   */
  readonly image?: string;
  /**
   * With `image`: operators serve metrics on port 8443, over HTTPS with authorization by RBAC; a Service, roles, a ServiceMonitor and a NetworkPolicy.
   * @default true
   */
  readonly metrics?: boolean;
  /** URL of webhooks outside the cluster: `https://hooks.example.com`. @default a Service of the operator */
  readonly webhookUrl?: string;
}

/**
 * Generates the manifests of operators: CRDs, ServiceAccounts, roles and bindings, roles for users, webhooks, samples. Sorted by path;
 * deterministic.
 *
 * Throws DEFINITION_INVALID, with the path, for a schema that a CRD cannot express.
 *
 * @example
 * await writeManifests("config", generateManifests({ operators: [websiteOperator] }));
 */
export function generateManifests(options: GenerateOptions): GeneratedFile[] {
  const { operators, namespace = "default", namespaced = false, leaderElection = true } = options;
  const { installCRDs = false, migrateStored = false, metrics = true, maxDescriptionLength } = options;
  const hooks = { namespace, certManager: options.certManager ?? false, webhookUrl: options.webhookUrl };
  const kinds = operators.flatMap(({ controllers, webhooks }) => [
    ...controllers.flatMap(({ kind, owns, manages, watches }) => [
      kind,
      ...owns,
      ...manages,
      ...watches.map((watched) => watched.kind),
    ]),
    ...webhooks.flatMap(({ kind }) => (kind === undefined ? [] : [kind])),
  ]);
  const resources = definedIn([...kinds, ...(options.resources ?? [])]);
  const files = [
    ...definitionFiles(resources, {
      maxDescriptionLength,
      conversionWebhook: (resource) => conversionWebhookOf(resource, operators, hooks),
      annotations: (resource) => injectionOf(resource, operators, hooks),
    }),
    ...operatorRoleFiles(operators, { namespace, namespaced, leaderElection, installCRDs, migrateStored }),
    ...userRoleFiles(resources),
    ...sampleFiles(resources),
    ...webhookFiles(operators, hooks),
    ...webhookRoleFiles(operators, hooks),
    ...(options.image === undefined
      ? []
      : managerFiles(operators, {
          namespace,
          namespaced,
          leaderElection,
          metrics,
          image: options.image,
          certManager: hooks.certManager,
        })),
    ...(options.image === undefined || !metrics ? [] : metricsFiles(operators, namespace)),
  ];
  if (options.image !== undefined) files.push(...kustomizeFiles(files));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The kinds made by `defineResource`, each once, whatever its version. Another project installs external ones. */
function definedIn(kinds: readonly AnyKind[]): DefinedResource[] {
  const found = kinds.filter(isResource).filter(({ definition }) => !definition.external);
  return found.filter(({ definition }, index) => found.findIndex((other) => other.definition === definition) === index);
}

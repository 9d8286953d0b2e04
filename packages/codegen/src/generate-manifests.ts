import { type AnyKind, isResource, type Operator } from "kubewright";
import type { DefinedResource } from "./defined-resource.js";
import { definitionFiles } from "./definition-files.js";
import type { GeneratedFile } from "./generated-file.js";
import { operatorRoleFiles, userRoleFiles } from "./role-files.js";
import { sampleFiles } from "./sample-files.js";
import { conversionWebhookOf, injectionOf, webhookFiles } from "./webhook-files.js";

/** What to write manifests for, and how. */
export interface GenerateOptions {
  /** Whose CRDs, roles and webhooks are generated. */
  readonly operators: readonly Operator[];
  /** Defined resources beside those of the operators' controllers. @default none */
  readonly resources?: readonly AnyKind[];
  /** Where the operators run. @default "default" */
  readonly namespace?: string;
  /** They see their own namespace alone, and get a Role instead of a ClusterRole. @default false */
  readonly namespaced?: boolean;
  /** They elect a leader. @default true */
  readonly leaderElection?: boolean;
  /** They install their definitions when they start, and get the permission for it. @default false */
  readonly installCRDs?: boolean;
  /** They migrate stored objects, and get the permission for it. @default false */
  readonly migrateStored?: boolean;
  /**
   * Cuts descriptions of fields; 0 leaves them out. `fit` cuts those of definitions that are else too large for `kubectl apply`.
   * @default whole descriptions
   */
  readonly maxDescriptionLength?: number | "fit";
  /** cert-manager makes the certificates of webhooks, and writes their authority into definitions. @default false */
  readonly certManager?: boolean;
  /** Where webhooks are served outside of the cluster: `https://hooks.example.com`. @default by a Service of the operator */
  readonly webhookUrl?: string;
}

/**
 * The manifests of operators: definitions, ServiceAccounts, roles and bindings, roles for users, webhooks, samples. Sorted by path; the same
 * input gives the same bytes.
 *
 * Throws DEFINITION_INVALID, with the path, for what a CustomResourceDefinition cannot express.
 *
 * @example
 * await writeManifests("config", generateManifests({ operators: [websiteOperator] }));
 */
export function generateManifests(options: GenerateOptions): GeneratedFile[] {
  const { operators, namespace = "default", namespaced = false, leaderElection = true } = options;
  const { installCRDs = false, migrateStored = false, maxDescriptionLength } = options;
  const hooks = { namespace, certManager: options.certManager ?? false, webhookUrl: options.webhookUrl };
  const kinds = operators.flatMap(({ controllers }) =>
    controllers.flatMap(({ kind, owns, watches }) => [kind, ...owns, ...watches.map((watched) => watched.kind)]),
  );
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
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Those of the kinds that are defined here, each once whatever its version. */
function definedIn(kinds: readonly AnyKind[]): DefinedResource[] {
  const found = kinds.filter(isResource);
  return found.filter(({ definition }, index) => found.findIndex((other) => other.definition === definition) === index);
}

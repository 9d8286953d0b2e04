import { OperatorError } from "@kubewright/core/errors";
import { formatApiVersion } from "@kubewright/core/identity";
import type { Conversions, ConversionWebhook, VersionConversion } from "./conversion.js";
import { defineKind, type Kind, type Scope } from "./kind.js";
import { unknownOption, unknownVersionOption } from "./known-options.js";
import { withKstatus } from "./kstatus-conditions.js";
import { pluralOf } from "./plural.js";
import type { VersionOptions, VersionTypes } from "./version-options.js";

/** The definition of a resource. */
export interface ResourceOptions<
  Group extends string,
  KindName extends string,
  Versions extends Readonly<Record<string, VersionOptions>>,
  Hub extends keyof Versions & string,
  S extends Scope,
> {
  /** The API group: a domain name that you own. Groups under `k8s.io` and `kubernetes.io` are protected by Kubernetes. */
  readonly group: Group;
  /** In CamelCase and singular. */
  readonly kind: KindName;
  /** @default the English plural of the kind in lower case */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  /** @default the kind with the suffix "List" */
  readonly listKind?: string;
  /** Short names for kubectl. @default none */
  readonly shortNames?: readonly string[];
  /** Categories for kubectl, such as `all`. @default none */
  readonly categories?: readonly string[];
  /** @default "Namespaced" */
  readonly scope?: S;
  /** For a protected group: the URL of the API approval. @default "unapproved, experimental-only" */
  readonly apiApproved?: string;
  /** Labels and annotations of the CustomResourceDefinition itself. */
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** The version that controllers use and conversions go through. Optional for a single version. */
  readonly hub?: Hub;
  /** Each version by its name, such as `v1alpha1`. */
  readonly versions: Versions & KnownOptions<Versions>;
  /** Converts each other version to the hub and back. Without it, versions differ only in their name. */
  readonly convert?: Conversions<Versions, Hub>;
  /** An external conversion webhook, instead of `convert`. */
  readonly convertedBy?: ConversionWebhook;
  /**
   * Another project installs the CRD, such as cert-manager: the operator never installs or upgrades it, and no manifests, samples and user roles are
   * generated for it. Tests install it. @default false
   */
  readonly external?: boolean;
}

/** Makes a misspelt option of a version an error of the compiler. */
export type KnownOptions<Versions> = {
  readonly [V in keyof Versions]: { readonly [Name in Exclude<keyof Versions[V], keyof VersionOptions>]: never };
};

/** A definition with its defaults: CRDs and RBAC rules are derived from it. */
export interface ResourceDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly apiApproved: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly hub: string;
  readonly storage: string;
  readonly versions: Readonly<Record<string, VersionOptions>>;
  /** By version, without the hub; undefined where versions differ only in their name, or an external webhook converts. */
  readonly conversions: Readonly<Record<string, VersionConversion>> | undefined;
  readonly convertedBy: ConversionWebhook | undefined;
  /** Whether another project installs the CRD. */
  readonly external: boolean;
}

/** A defined resource: the kind of its hub version, and every version by name. */
export type Resource<
  Group extends string,
  KindName extends string,
  Versions extends Readonly<Record<string, VersionOptions>>,
  Hub extends keyof Versions & string,
  S extends Scope,
> = VersionKind<Group, KindName, Versions, Hub, S> & {
  readonly [V in keyof Versions & string]: VersionKind<Group, KindName, Versions, V, S> & WithDefinition;
} & WithDefinition;

/** A kind that `defineResource` made carries its definition. */
export interface WithDefinition {
  readonly definition: ResourceDefinition;
}

/** The kind of one version of a resource. */
export type VersionKind<
  Group extends string,
  KindName extends string,
  Versions extends Readonly<Record<string, VersionOptions>>,
  V extends keyof Versions & string,
  S extends Scope,
> = Kind<`${Group}/${V}/${KindName}`, S, VersionTypes<`${Group}/${V}`, KindName, Versions[V]>>;

/**
 * Defines a custom resource. Its static type, CRD, defaults, validation and permissions all come from this one value.
 *
 * Pure: it sends no request. Throws DEFINITION_INVALID for names that Kubernetes rejects; `crdOf` converts the schemas.
 *
 * @example
 * const Foo = defineResource({
 *   group: "samplecontroller.k8s.io",
 *   kind: "Foo",
 *   versions: { v1alpha1: { spec: z.object({ deploymentName: z.string() }) } },
 * });
 */
export function defineResource<
  const Group extends string,
  const KindName extends string,
  const Versions extends Readonly<Record<string, VersionOptions>>,
  const Hub extends keyof Versions & string = keyof Versions & string,
  const S extends Scope = "Namespaced",
>(options: ResourceOptions<Group, KindName, Versions, Hub, S>): Resource<Group, KindName, Versions, Hub, S> {
  // Conversion functions have precise types for their author; here they take JSON.
  const definition = definitionFrom(options as unknown as AnyOptions);
  const { group, kind, plural, scope } = definition;
  const kinds = Object.keys(definition.versions).map((version) =>
    Object.freeze({ ...defineKind({ group, version, kind, plural, scope }), definition }),
  );
  const hubKind = kinds.find(({ version }) => version === definition.hub);
  const byVersion = Object.fromEntries(kinds.map((versionKind) => [versionKind.version, versionKind]));
  // The only cast from the run-time value to its phantom types.
  return Object.freeze({ ...hubKind, ...byVersion }) as unknown as Resource<Group, KindName, Versions, Hub, S>;
}

/** Whether a kind was made by {@link defineResource}, so that its CRD can be derived. */
export function isResource<K extends object>(kind: K): kind is K & { readonly definition: ResourceDefinition } {
  return "definition" in kind;
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const kubeVersion = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/;
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;

type AnyOptions = Omit<
  ResourceOptions<string, string, Readonly<Record<string, VersionOptions>>, string, Scope>,
  "convert"
> & {
  readonly convert?: Readonly<Record<string, VersionConversion>>;
};

const resourceOptions: Readonly<Record<keyof AnyOptions, true>> = {
  group: true,
  kind: true,
  plural: true,
  singular: true,
  listKind: true,
  shortNames: true,
  categories: true,
  scope: true,
  apiApproved: true,
  metadata: true,
  hub: true,
  versions: true,
  convert: true,
  convertedBy: true,
  external: true,
};

function definitionFrom(options: AnyOptions): ResourceDefinition {
  const { group, kind, versions } = options;
  const fail = (why: string): OperatorError => {
    return new OperatorError(
      "DEFINITION_INVALID",
      `Cannot define resource "${kind}" of "${formatApiVersion(group, "*")}": ${why}`,
    );
  };
  const unknown = unknownOption(options, Object.keys(resourceOptions));
  if (unknown !== undefined) throw fail(`it has ${unknown}`);
  const plural = options.plural ?? pluralOf(kind);
  const singular = options.singular ?? kind.toLowerCase();
  if (!group.includes(".") || !group.split(".").every((label) => dnsLabel.test(label))) {
    throw fail(`the group "${group}" is not a domain name with at least one dot, in lower case`);
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) throw fail("a kind must be CamelCase and start with a capital letter");
  for (const name of [plural, singular, ...(options.shortNames ?? []), ...(options.categories ?? [])]) {
    if (!dnsLabel.test(name)) throw fail(`the name "${name}" must consist of lower case letters, digits and dashes`);
  }
  const names = Object.keys(versions);
  for (const name of names) {
    if (!kubeVersion.test(name)) throw fail(`the version "${name}" is not of the form v1, v1beta1 or v1alpha1`);
    checkVersion(versions[name], (why) => fail(`version "${name}" ${why}`));
  }
  const hub = options.hub ?? (names.length === 1 ? names[0] : undefined);
  if (hub === undefined || !names.includes(hub)) {
    throw fail(names.length === 0 ? "it has no version" : `\`hub\` must name one of its versions: ${names.join(", ")}`);
  }
  checkVersions(options, hub, fail);
  const stored = names.find((name) => versions[name]?.storage === true);
  return Object.freeze({
    group,
    kind,
    plural,
    singular,
    listKind: options.listKind ?? `${kind}List`,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    scope: options.scope ?? "Namespaced",
    apiApproved: protectedGroup.test(group)
      ? (options.apiApproved ?? "unapproved, experimental-only")
      : options.apiApproved,
    labels: options.metadata?.labels ?? {},
    annotations: options.metadata?.annotations ?? {},
    hub,
    storage: stored ?? hub,
    versions: Object.fromEntries(names.map((name) => [name, withKstatus<VersionOptions>(versions[name] ?? {})])),
    conversions: options.convert,
    convertedBy: options.convertedBy,
    external: options.external ?? false,
  });
}

/** Checks the rules that span the versions of a kind. */
function checkVersions(
  { versions, convert, convertedBy }: AnyOptions,
  hub: string,
  fail: (why: string) => OperatorError,
): void {
  const names = Object.keys(versions);
  const stored = names.filter((name) => versions[name]?.storage === true);
  if (stored.length > 1) throw fail(`only one version can be stored, not ${stored.join(" and ")}`);
  if (versions[hub]?.storage === false && stored.length === 0)
    throw fail(`the hub "${hub}" has \`storage: false\`, and no other version has \`storage: true\``);
  if (names.every((name) => versions[name]?.served === false)) throw fail("no version is served");
  if (convert === undefined) return;
  if (convertedBy !== undefined) throw fail("`convert` and `convertedBy` are mutually exclusive");
  const others = names.filter((name) => name !== hub);
  const missing = others.filter(
    (name) => typeof convert[name]?.toHub !== "function" || typeof convert[name]?.fromHub !== "function",
  );
  if (missing.length > 0) throw fail(`\`convert\` has no \`toHub\` and \`fromHub\` for ${missing.join(", ")}`);
}

function checkVersion(version: VersionOptions | undefined, fail: (why: string) => OperatorError): void {
  const unknown = unknownVersionOption(version ?? {});
  if (unknown !== undefined) throw fail(`has ${unknown}`);
  for (const type of ["Reconciling", "Stalled"]) {
    if (version?.kstatus === true && version.conditions?.[type] !== undefined)
      throw fail(`declares the condition "${type}", which the framework keeps with \`kstatus\`; leave it out`);
  }
  for (const [type, reasons] of Object.entries(version?.conditions ?? {})) {
    if (reasons.length === 0) throw fail(`declares no reason for the condition "${type}"`);
    for (const reason of reasons) {
      if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason))
        throw fail(`has the reason "${reason}", which is not CamelCase`);
    }
  }
}

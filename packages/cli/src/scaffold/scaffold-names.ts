import { OperatorError } from "@kubewright/core/errors";
import { defineResource } from "kubewright";

/** A rule of Kubernetes for a name, as users read it. */
interface NameRule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly rule: string;
  readonly example: string;
}

const label = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

const rules = {
  project: {
    what: "project name",
    // The namespace `<name>-system` is a DNS label too.
    pattern: /^[a-z]([-a-z0-9]{0,54}[a-z0-9])?$/,
    rule: "at most 56 lower case letters, digits and dashes, with a letter first and no dash at the end",
    example: "website-operator",
  },
  domain: {
    what: "domain",
    pattern: new RegExp(`^${label}(\\.${label})+$`),
    rule: "a DNS name in lower case with at least one dot",
    example: "example.com",
  },
  group: {
    what: "group",
    pattern: new RegExp(`^${label}$`),
    rule: "lower case letters, digits and dashes, without dots: the domain of the project is appended",
    example: "web",
  },
  version: {
    what: "version",
    pattern: /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/,
    rule: "of the form v1, v1beta1 or v1alpha1",
    example: "v1alpha1",
  },
  kind: {
    what: "kind",
    pattern: /^[A-Z][A-Za-z0-9]{0,62}$/,
    rule: "CamelCase letters and digits, with a capital letter first, in the singular",
    example: "Website",
  },
  plural: {
    what: "plural",
    pattern: new RegExp(`^${label}$`),
    rule: "lower case letters, digits and dashes",
    example: "websites",
  },
} as const satisfies Readonly<Record<string, NameRule>>;

/** What a name is for. */
export type NameUse = keyof typeof rules;

/** Why a name is invalid, with the rule; undefined if it is valid. */
export function nameProblem(use: NameUse, name: string): string | undefined {
  const { what, pattern, rule, example } = rules[use];
  return pattern.test(name) ? undefined : `"${name}" is no valid ${what}: it must be ${rule}, such as "${example}"`;
}

/** Throws CONFIG_INVALID with the rule for an invalid name. */
export function requireName(use: NameUse, name: string): void {
  const problem = nameProblem(use, name);
  if (problem !== undefined) throw new OperatorError("CONFIG_INVALID", `Cannot scaffold: ${problem}`);
}

/** The plural that `defineResource` gives a kind by default. */
export function scaffoldPlural(kind: string): string {
  requireName("kind", kind);
  return defineResource({ group: "example.com", kind, versions: { v1: {} } }).plural;
}

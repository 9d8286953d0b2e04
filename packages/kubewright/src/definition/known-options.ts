import { closestName } from "./closest-name.js";
import type { ResourceOptions } from "./define-resource.js";
import type { Scope } from "./kind.js";
import type { VersionOptions } from "./version-options.js";

const versionOptions: Readonly<Record<keyof VersionOptions, true>> = {
  spec: true,
  status: true,
  strictStatus: true,
  fields: true,
  conditions: true,
  kstatus: true,
  rules: true,
  printerColumns: true,
  scale: true,
  selectableFields: true,
  served: true,
  storage: true,
  deprecated: true,
};

type AnyResourceOptions = ResourceOptions<string, string, Readonly<Record<string, VersionOptions>>, string, Scope>;

const resourceOptions: Readonly<Record<keyof AnyResourceOptions, true>> = {
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

/** Why an option of a version is unknown: the compiler does not see it where the options are not a literal. Undefined if all are known. */
export function unknownVersionOption(options: object): string | undefined {
  return unknownOption(options, Object.keys(versionOptions));
}

/** As {@link unknownVersionOption}, for the options of `defineResource`. */
export function unknownResourceOption(options: object): string | undefined {
  return unknownOption(options, Object.keys(resourceOptions));
}

function unknownOption(options: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closestName(unknown, known);
  return `the unknown option \`${unknown}\`; ${meant === undefined ? `its options are ${known.join(", ")}` : `did you mean \`${meant}\`?`}`;
}

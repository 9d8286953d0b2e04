import { closestName } from "./closest-name.js";
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

/** Why an option of a version is unknown: the compiler does not see it where the options are not a literal. Undefined if all are known. */
export function unknownVersionOption(options: object): string | undefined {
  return unknownOption(options, Object.keys(versionOptions));
}

/** Why an option is not one of the known ones, with the one that is probably meant; undefined if all are known. */
export function unknownOption(options: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closestName(unknown, known);
  return `the unknown option \`${unknown}\`; ${meant === undefined ? `its options are ${known.join(", ")}` : `did you mean \`${meant}\`?`}`;
}

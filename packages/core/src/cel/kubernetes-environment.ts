import type { Environment, StructDecl } from "./check/environment.js";
import type { FunctionDecl } from "./check/overload.js";
import { conversions } from "./library/conversions.js";
import { jsonPatchLibrary } from "./library/jsonpatch.js";
import { libraries } from "./library/libraries.js";
import { optionalFunctions } from "./library/optionals.js";
import { standardFunctions } from "./library/standard-functions.js";
import { operators } from "./library/standard-operators.js";
import { timeFunctions } from "./library/time-functions.js";
import { PatchStructs, PatchTypes } from "./policy/patch-types.js";
import { type Macro, Macros, optionalMacros, standardMacros } from "./syntax/macros.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from "./types/cel-type.js";

export interface KubernetesEnvironmentOptions {
  /** The types of the variables, such as `self`, `object` or `request`. @default none */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** The object types that those refer to by name. @default none */
  readonly structs?: ReadonlyMap<string, StructDecl>;
  /** The minor version of Kubernetes 1.x whose libraries exist. @default 36 */
  readonly minorVersion?: number;
  /** Libraries for certain uses only, by name: `jsonpatch` of MutatingAdmissionPolicies. @default none */
  readonly extraLibraries?: readonly string[];
}

const standardTypes: readonly CelType[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(dynType),
  mapType(dynType, dynType),
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
];

/** What is the same for all environments of a version. */
type Base = Omit<Environment, "variables" | "structs">;

const bases = new Map<string, Base>();

/** What expressions may refer to on a kube-apiserver of a version. */
export function kubernetesEnvironment({
  variables = {},
  structs = new Map(),
  minorVersion = 36,
  extraLibraries = [],
}: KubernetesEnvironmentOptions = {}): Environment {
  const key = [minorVersion, ...extraLibraries].join(" ");
  const base = bases.get(key) ?? createBase(minorVersion, extraLibraries);
  bases.set(key, base);
  const known = extraLibraries.includes(jsonPatchLibrary.name) ? new PatchStructs(structs) : structs;
  return { ...base, variables: new Map(Object.entries(variables)), structs: known };
}

function createBase(minor: number, extraLibraries: readonly string[]): Base {
  const optionals = minor >= 28;
  const chosen = libraries.filter(({ name, since, until = Number.POSITIVE_INFINITY, isExtra = false }) =>
    isExtra ? extraLibraries.includes(name) : minor >= since && minor < until,
  );
  const functions = new Map<string, FunctionDecl>();
  const declared = [
    ...operators(minor >= 28, optionals),
    ...conversions,
    ...standardFunctions,
    ...timeFunctions,
    ...(optionals ? optionalFunctions : []),
    ...chosen.flatMap((library) => library.functions),
  ];
  for (const declaration of declared) {
    const known = functions.get(declaration.name);
    const overloads = [...(known?.overloads ?? []), ...declaration.overloads];
    functions.set(declaration.name, { ...known, ...declaration, overloads });
  }
  const macros: Macro[] = [...standardMacros, ...(optionals ? optionalMacros : [])];
  const types = [...standardTypes, ...(optionals ? [optionalType(dynType)] : [])];
  for (const library of chosen) {
    macros.push(...(library.macros ?? []));
    types.push(...(library.types ?? []));
  }
  const names = types.map((type) => [type.name, type] as const);
  return {
    types: extraLibraries.includes(jsonPatchLibrary.name) ? new PatchTypes(names) : new Map(names),
    functions,
    macros: new Macros(macros),
    optionalSyntax: optionals,
    validatesLiterals: minor >= 29,
  };
}

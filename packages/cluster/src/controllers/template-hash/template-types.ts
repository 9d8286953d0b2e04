import { createRequire } from "node:module";

/** One field of a Go struct. */
export interface GoField {
  readonly name: string;
  /** In JSON; undefined where the fields of the struct lie flat in the other. */
  readonly json: string | undefined;
  /** As Go prints it: `*int32`, `[]v1.Container`, `v1.PodSpec`. */
  readonly type: string;
}

/** A named Go type: a struct with its fields in their order, or another name for a type. */
export type GoType = { readonly fields: readonly GoField[] } | { readonly like: string };

const known = new Map<string, GoType>();
let loaded: Readonly<Record<string, string>> | undefined;

/** The named type below Go's PodTemplateSpec that has this name; undefined for others. */
export function goType(name: string): GoType | undefined {
  const found = known.get(name);
  if (found !== undefined) return found;
  // Read when the first hash is asked for: most programs never ask.
  loaded ??= createRequire(import.meta.url)("#template-types") as Readonly<Record<string, string>>;
  const text = Object.hasOwn(loaded, name) ? loaded[name] : undefined;
  if (text === undefined) return undefined;
  const type = text.startsWith("= ") ? { like: text.slice(2) } : { fields: text.split("\n").map(fieldOf) };
  known.set(name, type);
  return type;
}

function fieldOf(line: string): GoField {
  const [name = "", json = "", ...type] = line.split(" ");
  return { name, json: json === "-" ? undefined : json, type: type.join(" ") };
}

/** The kinds of types that the checker tells apart. */
export type TypeKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "param"
  | "uint";

/** A type of CEL. Two types are the same when {@link sameType} holds, not when they are one object. */
export interface CelType {
  readonly kind: TypeKind;
  /** The name as CEL spells it: `int`, `list`, `kubernetes.Quantity`; of a type parameter, its letter. */
  readonly name: string;
  readonly params: readonly CelType[];
}

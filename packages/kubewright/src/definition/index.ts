/**
 * One definition: the type, the schema and the permissions of a resource come from one value.
 *
 * @module
 */
export {
  type AnyKind,
  type ConditionsOf,
  defineKind,
  type Kind,
  type KindTypes,
  type ObjectOf,
  type ReadMeta,
  type ReadOf,
  type Scope,
  type ScopeOf,
  type StatusOf,
  type WriteMeta,
  type WriteOf,
} from "./kind.js";

/**
 * CEL, the language of validation rules and admission policies, as Kubernetes evaluates it.
 *
 * Takes: an expression and an environment. Gives: a program, or issues as kube-apiserver prints them.
 *
 * @module
 */
export type { Environment, StructDecl } from "./check/environment.js";
export type { CallCost, FunctionDecl, Implementation, Overload } from "./check/overload.js";
export type { CallEstimate, CallSizes, EstimateCall, Range, SizedNode } from "./cost/estimate.js";
export type { MaxSizes } from "./cost/estimate-cost.js";
export { type KubernetesEnvironmentOptions, kubernetesEnvironment } from "./kubernetes-environment.js";
export {
  type AccessDecision,
  type AccessQuestion,
  type Authorize,
  AuthorizerValue,
  authorizerType,
  type CheckValue,
  type DecisionValue,
  type IdentityValue,
  type ResourceQuestion,
  resourceCheckType,
  type ServiceAccount,
} from "./library/authorizer.js";
export {
  applyConfigurationType,
  jsonOf,
  jsonPatchType,
  PolicyCompiler,
  type PolicyDeclarations,
  type PolicyExpression,
  type PolicyVariables,
  structsIn,
  typeNameProblems,
  UnusableValue,
  VariablesValue,
} from "./policy/index.js";
export { type Compiled, compile, type Evaluation, type Program } from "./program.js";
export {
  type CheckRulesOptions,
  checkRules,
  evaluateDefault,
  evaluateRules,
  type RuleSubject,
  type RuleViolations,
} from "./rules/index.js";
export {
  type SchemaDeclaration,
  type SchemaDeclarationOptions,
  schemaDeclaration,
} from "./schema/schema-declaration.js";
export type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapEntry,
  MapExpr,
  Place,
  SelectExpr,
  StructExpr,
  StructField,
} from "./syntax/expr.js";
export type { Expander, Macro, MacroCall, Macros } from "./syntax/macros.js";
export type { Issue } from "./syntax/source.js";
export {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  structType,
  type TypeKind,
  type TypeOf,
  timestampType,
  uintType,
} from "./types/cel-type.js";
export { celValue } from "./values/json.js";
export type { IntValue } from "./values/number.js";
export {
  type CelValue,
  type DoubleValue,
  type DurationValue,
  type ListValue,
  type MapValue,
  type OpaqueValue,
  OptionalValue,
  type TimestampValue,
  type TypeValue,
  type UintValue,
} from "./values/value.js";

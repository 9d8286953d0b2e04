/**
 * CEL, the language of validation rules and admission policies, as Kubernetes evaluates it.
 *
 * Takes: an expression and an environment. Gives: a program, or issues as kube-apiserver prints them.
 *
 * @module
 */
export type { Environment, StructDecl } from "./check/environment.js";
export type { Range } from "./cost/estimate.js";
export type { MaxSizes } from "./cost/estimate-cost.js";
export { type KubernetesEnvironmentOptions, kubernetesEnvironment } from "./kubernetes-environment.js";
export {
  type AccessDecision,
  type AccessQuestion,
  type Authorize,
  AuthorizerValue,
  authorizerType,
  resourceCheckType,
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
  evaluateRules,
  type RuleSubject,
  type RuleViolations,
} from "./rules/index.js";
export {
  type SchemaDeclaration,
  type SchemaDeclarationOptions,
  schemaDeclaration,
} from "./schema/schema-declaration.js";
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
  timestampType,
  uintType,
} from "./types/cel-type.js";
export { celValue } from "./values/json.js";
export { type CelValue, OptionalValue } from "./values/value.js";

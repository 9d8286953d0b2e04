/**
 * Starts and stops the stages, as one program.
 *
 * @module
 */
export type { LogLevel } from "./default-logger.js";
export { type InstallOptions, installDefinitions } from "./install-definitions.js";
export { type Operator, type OperatorOptions, operator } from "./operator.js";
export type { RunOptions } from "./run-operator.js";
export type { RunningOperator, StartOptions } from "./running-operator.js";

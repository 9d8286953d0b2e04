import { OperatorError } from "@kubewright/core/errors";
import { type DeriveRulesOptions, deriveRules, type PolicyRule } from "../permissions/index.js";
import type { AnyController, Controller, RawController } from "../reconcile/index.js";
import type { RunOptions } from "./run-operator.js";
import type { RunningOperator } from "./running-operator.js";
import type { StartOptions } from "./start-options.js";

/** What an operator is made of. */
export interface OperatorOptions {
  /** Of the program: in logs, and as the field manager of what it installs. Lower case letters, digits and dashes. */
  readonly name: string;
  /** What `controller` and `rawController` gave. */
  readonly controllers: readonly AnyController[];
}

/** Controllers with their definitions and permissions, as one program. Importing it starts nothing. */
export interface Operator {
  readonly name: string;
  /** Those of objects. */
  readonly controllers: readonly Controller[];
  /** Those whose keys are their own. */
  readonly rawControllers: readonly RawController[];
  /** The rules of the Role that is enough for this operator, and no more. */
  rules(options?: DeriveRulesOptions): PolicyRule[];
  /**
   * Starts it over a transport, for tests and for programs that do more than run one operator. Resolves when every cache has synced and
   * the workers run (with leader election: when it has begun to wait, see `elected`); when that fails, nothing is left running.
   */
  start(options: StartOptions): Promise<RunningOperator>;
  /**
   * Runs it as a program: finds the API server, logs, serves health and metrics where asked, and ends on SIGINT or SIGTERM; a second
   * signal ends the process at once. Resolves after a graceful stop; rejects when it lost its lease, and then the process should end.
   */
  run(options?: RunOptions): Promise<void>;
}

/**
 * Puts controllers together to an operator.
 *
 * @example
 * export const fooOperator = operator({ name: "foo-operator", controllers: [foo] });
 * // main.ts: await fooOperator.run();
 */
export function operator({ name, controllers }: OperatorOptions): Operator {
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot make operator "${name}": ${why}`);
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw fail("its name is not made of lower case letters, digits and dashes");
  if (controllers.length === 0) throw fail("it has no controller");
  const names = new Set<string>();
  for (const controller of controllers) {
    // Two controllers of one name would share their metrics and each other's fields.
    if (names.has(controller.name))
      throw fail(`two controllers have the name "${controller.name}"; give one another \`name\``);
    names.add(controller.name);
  }
  const made: Operator = {
    name,
    controllers: controllers.filter((controller) => controller.role === "controller"),
    rawControllers: controllers.filter((controller) => controller.role === "raw"),
    rules: (options) => deriveRules(controllers, options),
    // What only a running operator needs is loaded with it: describing one takes a fraction of the time.
    start: async (options) => {
      const { StartedOperator } = await import("./started-operator.js");
      return StartedOperator.start(made, options);
    },
    run: async (options) => {
      const { runOperator } = await import("./run-operator.js");
      return runOperator(made, options);
    },
  };
  return Object.freeze(made);
}

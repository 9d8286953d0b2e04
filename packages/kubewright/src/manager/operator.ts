import { OperatorError } from "@kubewright/core/errors";
import type { UserMetric } from "../metrics/index.js";
import { type DeriveRulesOptions, deriveRules, type PolicyRule } from "../permissions/index.js";
import type { AnyController, Controller, RawController } from "../reconcile/index.js";
import { requireOwnPaths, type Webhook, webhookAccess } from "../webhook/index.js";
import { requireOneDefinition } from "./one-definition.js";
import { requireStartable } from "./require-startable.js";
import type { RunFromArgsOptions } from "./run-from-args.js";
import type { RunOptions } from "./run-operator.js";
import type { RunningOperator } from "./running-operator.js";
import type { StartOptions } from "./start-options.js";
import type { Task } from "./task.js";

/** The parts of an operator. */
export interface OperatorOptions {
  /** In logs, and as the field manager of what it installs. Lower case letters, digits and dashes. */
  readonly name: string;
  /** What `controller` and `rawController` returned. @default none, for an operator that only has webhooks */
  readonly controllers?: readonly AnyController[];
  /** What `webhooks` and `rawWebhook` returned: defaulters and validators that every replica serves. @default none */
  readonly webhooks?: readonly Webhook[];
  /** Other work of the process, bound to its lifecycle and leadership. @default none */
  readonly tasks?: readonly Task[];
  /**
   * Metrics of prom-client that are served with those of the framework: `new Gauge({ name, help, registers: [] })`. Without `metricsAddress` they are not
   * served. @default none
   */
  readonly metrics?: readonly UserMetric[];
  /** RBAC rules beyond what the controllers declare: for instance what the operator itself must have to grant it to others. @default none */
  readonly rules?: readonly PolicyRule[];
}

/** Controllers with their CRDs and permissions, as one process. Importing it starts nothing. */
export interface Operator {
  readonly name: string;
  /** Controllers of objects. */
  readonly controllers: readonly Controller[];
  /** Raw controllers. */
  readonly rawControllers: readonly RawController[];
  readonly webhooks: readonly Webhook[];
  readonly tasks: readonly Task[];
  readonly metrics: readonly UserMetric[];
  /** The RBAC rules that this operator needs, and no more. */
  rules(options?: DeriveRulesOptions): PolicyRule[];
  /**
   * Starts it over a transport: for tests, and for processes that embed it. Resolves when every cache has synced and the workers run (with leader
   * election: when it waits for the Lease, see `elected`). On failure nothing is left running.
   */
  start(options: StartOptions): Promise<RunningOperator>;
  /**
   * Runs it as a process: finds the API server, logs, serves health and metrics where configured, and stops on SIGINT or SIGTERM; a second signal
   * terminates the process at once. Resolves after a graceful stop. Rejects when it lost its lease; the process should then exit. Uncaught, a failure
   * prints one sentence and exits with 1, and the stack too with `logLevel: "debug"`.
   */
  run(options?: RunOptions): Promise<void>;
  /**
   * As `run`, by the command line and the environment: kubebuilder's flags (`--leader-elect`, `--health-probe-bind-address=:8081`,
   * `--metrics-bind-address=:8443`, `--webhook-cert-path`, ...), WATCH_NAMESPACE, ENABLE_WEBHOOKS and LOG_LEVEL. `--help` lists them. Options given
   * here hold where neither sets them. Rejects with CONFIG_INVALID for an unknown flag.
   */
  runFromArgs(options?: RunFromArgsOptions): Promise<void>;
}

const nameFormat = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Combines controllers and webhooks into an operator. Throws CONFIG_INVALID when two controllers or two tasks have the same name, or two webhooks the
 * same path.
 *
 * @example
 * export const fooOperator = operator({ name: "foo-operator", controllers: [foo] });
 * // main.ts: await fooOperator.run();
 */
export function operator(options: OperatorOptions): Operator {
  const { name, controllers = [], webhooks = [], tasks = [], metrics = [], rules: extraRules = [] } = options;
  const fail = (why: string): OperatorError =>
    new OperatorError("CONFIG_INVALID", `Cannot make operator "${name}": ${why}`);
  if (!nameFormat.test(name)) throw fail("its name must consist of lower case letters, digits and dashes");
  if (controllers.length === 0 && webhooks.length === 0) throw fail("it has neither a controller nor a webhook");
  requireOwnPaths(webhooks);
  requireOneDefinition(name, controllers, webhooks);
  const names = new Set<string>();
  for (const controller of controllers) {
    // Two controllers of one name would share metrics and field ownership.
    if (names.has(controller.name))
      throw fail(`two controllers have the name "${controller.name}"; give one another \`name\``);
    names.add(controller.name);
  }
  const taskNames = new Set<string>();
  for (const task of tasks) {
    if (!nameFormat.test(task.name))
      throw fail(`the name of task "${task.name}" must consist of lower case letters, digits and dashes`);
    if (taskNames.has(task.name)) throw fail(`two tasks have the name "${task.name}"`);
    taskNames.add(task.name);
  }
  const made: Operator = {
    name,
    controllers: controllers.filter((controller) => controller.role === "controller"),
    rawControllers: controllers.filter((controller) => controller.role === "raw"),
    webhooks,
    tasks,
    metrics,
    rules: (options) => [
      ...deriveRules([...controllers, ...webhooks.map(webhookAccess)], options),
      ...(options?.cluster === undefined ? [...tasks.flatMap(({ rules = [] }) => rules), ...extraRules] : []),
    ],
    // Loaded on start: importing an operator's module stays fast.
    start: async (options) => {
      requireStartable(name, "start");
      const { StartedOperator } = await import("./started-operator.js");
      return StartedOperator.start(made, options);
    },
    run: async (options) => {
      requireStartable(name, "run");
      const { runProcess } = await import("./run-process.js");
      return runProcess(made, options);
    },
    runFromArgs: async (options) => {
      requireStartable(name, "runFromArgs");
      const { runFromArgs } = await import("./run-from-args.js");
      return runFromArgs(made, options);
    },
  };
  return Object.freeze(made);
}

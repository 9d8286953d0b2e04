import { systemClock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import {
  type Client,
  crdOf,
  createClient,
  installCRDs,
  type Logger,
  type Operator,
  type RecordedRun,
  type RunningOperator,
} from "kubewright";
import { installOperator } from "../deploy/index.js";
import { resourcesOf } from "../resources-of.js";
import { DevWebhooks } from "./dev-webhooks.js";

/** What an operator in development runs on, and who watches it. */
export interface DevOperatorOptions {
  readonly transport: Transport;
  /** Undefined on a cluster that cannot call this process: its webhooks are not served there. */
  readonly webhooks: DevWebhooks | undefined;
  readonly logger: Logger;
  readonly onRun: (run: RecordedRun) => void;
  readonly signal: AbortSignal;
}

/** How new code took effect. `replaced`: the controllers were, and the caches stayed. */
export type Taken = "started" | "replaced" | "restarted";

/** The operator of a project, whose code can change while it runs. */
export class DevOperator implements AsyncDisposable {
  readonly #options: DevOperatorOptions;
  readonly #client: Client;
  #operator: Operator | undefined;
  #running: RunningOperator | undefined;

  constructor(options: DevOperatorOptions) {
    this.#options = options;
    this.#client = createClient(options.transport);
  }

  /** The operator that runs now. */
  get operator(): Operator | undefined {
    return this.#operator;
  }

  /**
   * Runs this version instead of the one before: installs CRDs that changed, and replaces the controllers, or restarts the operator where it has
   * parts that cannot be replaced. Rejects when the cluster rejects a CRD or the operator cannot start; what ran before runs on, unless the restart failed.
   */
  async use(next: Operator): Promise<Taken> {
    const { webhooks } = this.#options;
    const before = this.#running && this.#operator;
    const running = this.#running;
    if (before === undefined || running === undefined) {
      await this.#start(next);
      return "started";
    }
    if (!isReplaceable(before) || !isReplaceable(next) || before.name !== next.name) {
      this.#running = undefined;
      await running.stop();
      await this.#start(next);
      return "restarted";
    }
    // Not the same CRDs again: each apply is a write and a wait.
    if (definitionsOf(next) !== definitionsOf(before)) await this.#installCRDs(next);
    webhooks?.handlerOf(next);
    if (webhooks) await webhooks.install(next, this.#client);
    const known = new Set(controllersOf(before).map(({ name }) => name));
    for (const controller of controllersOf(next)) {
      if (known.delete(controller.name)) await running.replace(controller);
      else await running.add(controller);
    }
    for (const name of known) await running.remove(name);
    this.#operator = next;
    return "replaced";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.stop();
  }

  async #start(next: Operator): Promise<void> {
    const { transport, webhooks, logger, onRun, signal } = this.#options;
    await this.#installCRDs(next);
    const webhookHandler = webhooks?.handlerOf(next);
    this.#running = await next.start({ transport, logger, onRun, signal, ...(webhookHandler && { webhookHandler }) });
    this.#operator = next;
    await webhooks?.install(next, this.#client);
  }

  async #installCRDs(next: Operator): Promise<void> {
    const { webhooks, signal } = this.#options;
    if (webhooks === undefined) {
      await installOperator(this.#client, next, { dryRun: false, report: () => {}, signal });
      return;
    }
    await installCRDs(resourcesOf(next), {
      client: this.#client,
      clock: systemClock,
      fieldManager: next.name,
      signal,
      // On an embedded cluster objects are for trying out, and a definition changes often.
      allowUnsafe: true,
      includeExternal: true,
      conversionWebhook: DevWebhooks.conversionWebhook(next),
    });
  }
}

/** Tasks and metrics belong to one start of an operator, and so do the caches of webhooks. */
function isReplaceable({ tasks, metrics, webhooks }: Operator): boolean {
  return tasks.length === 0 && metrics.length === 0 && webhooks.every(({ uses }) => uses.length === 0);
}

function controllersOf({ controllers, rawControllers }: Operator) {
  return [...controllers, ...rawControllers];
}

function definitionsOf(operator: Operator): string {
  return JSON.stringify(resourcesOf(operator).map((kind) => crdOf(kind)));
}

import type { Logger } from "@kubewright/core/log";
import type { Transport } from "@kubewright/core/transport";
import type { Operator, RecordedRun, RunningOperator, StartOptions } from "kubewright";
import type { PolicyRule } from "kubewright/permissions";
import { DenialTransport, type PermissionLog, RecordingTransport } from "../permissions/index.js";
import type { Backend } from "./backend.js";
import { CountingTransport } from "./counting-transport.js";
import { DeniedRequests } from "./denied-requests.js";
import { FailingObjects } from "./failing-objects.js";
import type { RunLog } from "./run-log.js";
import { type SimulatedExec, SimulatedExecTransport } from "./simulated-exec.js";
import { spansNamespaces } from "./spans-namespaces.js";
import type { StaleReadWarnings } from "./stale-read-warning.js";

/** Options of {@link OperatorUnderTest}. */
export interface OperatorTestOptions {
  /** The operator's logger. @default no log */
  readonly logger?: Logger;
  /** Wraps the operator's transport, for faults and recordings. @default the transport itself */
  readonly wrapTransport?: (transport: Transport) => Transport;
  /** Runs the operator's commands in containers, which no simulated Pod has. @default they are rejected */
  readonly exec?: SimulatedExec;
  /** Records the permissions that the operator uses. */
  readonly permissions?: PermissionLog;
  /**
   * The RBAC rules of an operator's ServiceAccount, for instance those of a role that is written by hand. A request that they do not allow fails the
   * test. @default operator.rules()
   */
  readonly rules?: (operator: Operator) => readonly PolicyRule[];
}

/** What is observed of all operators of a test. */
interface Observers {
  readonly runs: RunLog;
  readonly staleReads: StaleReadWarnings;
}

/** One operator of a test cluster, started or not, with what is observed of it. */
export class OperatorUnderTest {
  readonly #operator: Operator;
  readonly #backend: Backend;
  readonly #options: OperatorTestOptions;
  readonly #observers: Observers;
  readonly #transport: CountingTransport;
  readonly #failing = new FailingObjects();
  /** Its requests that RBAC rejected. */
  readonly denied: DeniedRequests;
  #running: RunningOperator | undefined;
  /** The one that ran last, also after its end: for the report of a failing test. */
  #latest: RunningOperator | undefined;
  #passed = 0;

  constructor(operator: Operator, backend: Backend, options: OperatorTestOptions, observers: Observers) {
    this.#operator = operator;
    this.#backend = backend;
    this.#options = options;
    this.#observers = observers;
    const { permissions, exec, wrapTransport = (transport) => transport } = options;
    this.denied = new DeniedRequests(operator, backend.transport);
    const served = backend.operatorTransport(operator);
    const withExec = exec ? new SimulatedExecTransport(served, exec) : served;
    const operatorTransport = new DenialTransport(withExec, (one) => this.denied.add(one));
    const kinds = operator.controllers.map(({ kind }) => kind);
    const recorded = permissions ? new RecordingTransport(operatorTransport, permissions, kinds) : operatorTransport;
    this.#transport = new CountingTransport(wrapTransport(recorded), observers.runs);
  }

  get name(): string {
    return this.#operator.name;
  }

  get running(): RunningOperator | undefined {
    return this.#running;
  }

  /** Number of requests, watches included. */
  get requests(): number {
    return this.#transport.requests;
  }

  /** Counter of requests, events and stages; unchanged means idle. */
  get activity(): number {
    return this.#passed + this.#transport.requests + this.#transport.events;
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) throw new TypeError(`Cannot start operator "${this.name}": it is already running`);
    const { clock, namespace, isConfined, random } = this.#backend;
    const webhookHandler = this.#backend.webhookHandler(this.#operator);
    const options: StartOptions = {
      transport: this.#transport,
      clock,
      onStage: (stage, detail) => {
        this.#passed++;
        if (stage !== "reconcile") return;
        if (detail.read !== undefined) return this.#observers.staleReads.report(detail);
        this.#observers.runs.recordRun(detail);
        this.#failing.recordRun(detail);
      },
      ...(webhookHandler && { webhookHandler }),
      ...(random && { random }),
      ...(isConfined && !spansNamespaces(this.#operator) && { namespace }),
      ...(this.#options.logger && { logger: this.#options.logger }),
    };
    this.#running = await this.denied.duringStart((signal) => this.#operator.start({ ...options, signal }));
    this.#latest = this.#running;
  }

  /** All recorded runs, also after the operator was stopped. */
  recordedRuns(): readonly RecordedRun[] {
    return this.#latest?.runsOf({}) ?? [];
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  /** Descriptions of its pending work. */
  busy(): string[] {
    const { pending } = this.#transport;
    return [
      ...(this.#running?.busy() ?? []),
      ...(pending > 0 ? [`${pending} requests of the operator are pending`] : []),
    ];
  }

  /** Throws NOT_SETTLED if the last run of an object failed. */
  checkFailing(): void {
    this.#failing.check(this.#running?.failing() ?? []);
  }
}

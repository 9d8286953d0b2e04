import { setMaxListeners } from "node:events";
import { systemClock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import { type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import type { AnyKind } from "../../definition/index.js";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../k8s/admissionregistration/v1.gen.js";
import { CustomResourceDefinition } from "../../k8s/apiextensions/v1.gen.js";
import { Secret } from "../../k8s/core/v1.gen.js";
import { EventRecorder } from "../../status/index.js";
import { ListWatch, WatchBackoff } from "../../watch/index.js";
import type { ServingCertificate } from "../serving-certificate.js";
import { type ManageCertificatesOptions, policyOf } from "./certificate-options.js";
import { ClusterStore } from "./cluster-store.js";
import { authorityName, issueCertificate } from "./issue-certificate.js";
import type { ManagedCertificates } from "./managed-certificates.js";
import { Rotation } from "./rotation.js";
import { WakeUp } from "./wake-up.js";

/** A fixed interval, because timers do not run while a machine is suspended, and its clock may be set. */
const resyncMs = 3_600_000;

/** See `manageCertificates`. */
export class CertificateManager implements ManagedCertificates {
  readonly ready: Promise<void>;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  readonly #rotation: Pick<Rotation, "run" | "isReady" | "served">;
  readonly #events: EventRecorder;
  readonly #watches: readonly ListWatch<AnyKind>[];
  readonly #wakeUp: WakeUp;
  readonly #listeners = new Set<() => void>();
  readonly #afterFailure: () => number;
  #stopped: Promise<void> = Promise.resolve();
  #settleReady: { readonly resolve: () => void; readonly reject: (why: unknown) => void } | undefined;

  constructor(options: ManageCertificatesOptions) {
    const { client, clock = systemClock, name, namespace, secretName, random = Math.random } = options;
    const { logger = silentLogger, metrics } = options;
    const { lifetimeMs, ...policy } = policyOf(options);
    metrics?.watchCertificate(`${namespace}/${secretName}`, () => this.expiresMs);
    const commonName = `${name}-webhooks`;
    const fieldManager = `${name}-certificates`;
    const backoff = new WatchBackoff(random);
    this.#afterFailure = () => backoff.next(clock.monotonic());
    const signal = AbortSignal.any([options.signal]);
    // Each watch listens, and there is one per target.
    setMaxListeners(0, signal);
    this.#signal = signal;
    this.#log = safeLogger(logger).child({ secret: `${namespace}/${secretName}` });
    this.#wakeUp = new WakeUp(clock, signal);
    this.#events = new EventRecorder({
      client,
      clock,
      random,
      controller: fieldManager,
      instance: fieldManager,
      logger,
      signal,
    });
    this.#rotation = new Rotation({
      store: new ClusterStore({
        client,
        namespace,
        secretName,
        targets: options,
        fieldManager,
        authorityName: authorityName(commonName),
      }),
      clock,
      policy,
      logger: this.#log,
      issue: (names, nowMs) =>
        issueCertificate({
          commonName,
          names,
          notBeforeMs: nowMs - policy.clockSkewMs,
          notAfterMs: nowMs + lifetimeMs,
        }),
      serve: () => {
        for (const changed of this.#listeners) changed();
      },
      onRepair: (note, { secret }) => {
        const event = { type: "Warning", reason: "InvalidCertificate", note, action: "IssueCertificate" } as const;
        this.#events.record(Secret, secret, event);
      },
    });
    const watch = (kind: AnyKind, only: string, scope: { readonly namespace?: string } = {}): ListWatch<AnyKind> =>
      new ListWatch<AnyKind>({
        kind,
        client,
        clock,
        random,
        logger,
        ...scope,
        fields: { "metadata.name": only },
        deliver: ({ type }) => {
          if (type !== "bookmark") this.#wakeUp.call();
        },
      });
    this.#watches = [
      watch(Secret, secretName, { namespace }),
      ...(options.mutating ?? []).map((only) => watch(MutatingWebhookConfiguration, only)),
      ...(options.validating ?? []).map((only) => watch(ValidatingWebhookConfiguration, only)),
      ...(options.crds ?? []).map((only) => watch(CustomResourceDefinition, only)),
    ];
    this.ready = new Promise<void>((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    // A caller that does not await it is not to end the process.
    this.ready.catch(() => {});
  }

  /** Runs until the signal aborts. */
  start(): this {
    this.#stopped = this.#run();
    return this;
  }

  get stopped(): Promise<void> {
    return this.#stopped;
  }

  get certificate(): ServingCertificate | undefined {
    return this.#rotation.served;
  }

  get expiresMs(): number | undefined {
    return this.#rotation.served?.notAfterMs;
  }

  get idle(): boolean {
    const waits = ({ idle, state }: ListWatch<AnyKind>): boolean => idle || state.kind === "backoff";
    return this.#wakeUp.isWaiting && this.#events.pending === 0 && this.#watches.every(waits);
  }

  async load(): Promise<ServingCertificate> {
    await this.ready;
    if (this.certificate === undefined) throw new TypeError("There is no certificate although it is ready");
    return this.certificate;
  }

  watch(onChange: () => void): Disposable {
    this.#listeners.add(onChange);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onChange) };
  }

  async #run(): Promise<void> {
    const watching = Promise.all(this.#watches.map((watch) => watch.run(this.#signal)));
    while (!this.#signal.aborted) {
      const waitMs = await this.#rotate();
      await this.#wakeUp.wait(waitMs, resyncMs);
    }
    this.#settleReady?.reject(this.#signal.reason);
    await watching;
    await this.#events.whenWritten();
  }

  /** Returns after how long to look again. */
  async #rotate(): Promise<number> {
    try {
      const waitMs = await this.#rotation.run(this.#signal);
      if (this.#rotation.isReady) this.#settleReady?.resolve();
      return waitMs;
    } catch (error) {
      if (this.#signal.aborted) return 0;
      const delayMs = this.#afterFailure();
      this.#log.warn({ err: error, delayMs }, "Cannot manage the webhook certificate, will retry");
      if (isOperatorError(error) && error.code === "CONFIG_INVALID") this.#settleReady?.reject(error);
      return delayMs;
    }
  }
}

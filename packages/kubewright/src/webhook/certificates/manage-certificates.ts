import { setMaxListeners } from "node:events";
import { systemClock } from "@kubewright/core/clock";
import { isOperatorError } from "@kubewright/core/errors";
import { type Logger, safeLogger, silentLogger } from "@kubewright/core/log";
import type { AnyKind, ReadOf } from "../../definition/index.js";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../k8s/admissionregistration/v1.gen.js";
import { CustomResourceDefinition } from "../../k8s/apiextensions/v1.gen.js";
import { Secret } from "../../k8s/core/v1.gen.js";
import { EventRecorder } from "../../status/index.js";
import { ListWatch, WatchBackoff } from "../../watch/index.js";
import type { CertificateSource, ServingCertificate } from "../serving-certificate.js";
import { type ManageCertificatesOptions, policyOf } from "./certificate-options.js";
import { ClusterStore } from "./cluster-store.js";
import { authorityName, issueCertificate } from "./issue-certificate.js";
import { Rotation } from "./rotation.js";
import { WakeUp } from "./wake-up.js";

/** The certificate that a webhook server serves, and replaces while it runs: the `certificate` of `serveWebhooks`. */
export interface ManagedCertificates extends CertificateSource {
  /**
   * Resolves once there is a valid certificate whose CA is in the caBundle of every webhook configuration and CRD that exists. Rejects with
   * CONFIG_INVALID if the Secret belongs to cert-manager, and with the signal's reason.
   */
  readonly ready: Promise<void>;
  /** Resolves when it has stopped, after its signal aborted. Never rejects. */
  readonly stopped: Promise<void>;
  /** The certificate to serve now; undefined before there is one. */
  readonly certificate: ServingCertificate | undefined;
  /** When that certificate expires, in milliseconds since 1970. */
  readonly expiresMs: number | undefined;
  /** Whether nothing is in progress: it waits for a change, for the time of the next rotation or of a retry. */
  readonly idle: boolean;
  /** The certificate to serve, once `ready` has resolved. Rejects as `ready` does. */
  load(): Promise<ServingCertificate>;
  /** Calls `onChange` when there is another certificate, until it is disposed. */
  watch(onChange: () => void): Disposable;
}

/**
 * Keeps a CA and a serving certificate in a Secret, publishes the CA in the caBundle of webhook configurations and CRDs, and replaces both before they
 * expire.
 *
 * Every replica calls it; there is no leader. An API server can verify what any replica serves at any time, also during a rotation, after a crash and with
 * clocks that differ by up to `clockSkew`: see `nextStep`. Invalid and missing Secrets are replaced, a caBundle that another client overwrote is repaired.
 * Failed requests are logged and retried until `signal` aborts. Throws CONFIG_INVALID for options that contradict each other.
 *
 * @example
 * const certificates = manageCertificates({ client, name: "foo", namespace, secretName: "foo-webhooks", serviceName: "foo", validating: ["foo"], signal });
 * await certificates.ready;
 */
export function manageCertificates(options: ManageCertificatesOptions): ManagedCertificates {
  return new CertificateManager(options);
}

/** A fixed interval, because timers do not run while a machine is suspended, and its clock may be set. */
const resyncMs = 3_600_000;

class CertificateManager implements ManagedCertificates {
  readonly ready: Promise<void>;
  readonly stopped: Promise<void>;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  readonly #rotation: Pick<Rotation, "run" | "isReady" | "served">;
  readonly #events: EventRecorder;
  readonly #watches: readonly ListWatch<AnyKind>[];
  readonly #wakeUp: WakeUp;
  readonly #listeners = new Set<() => void>();
  readonly #afterFailure: () => number;
  #settleReady: { readonly resolve: () => void; readonly reject: (why: unknown) => void } | undefined;

  constructor(options: ManageCertificatesOptions) {
    const { client, clock = systemClock, name, namespace, secretName, random = Math.random } = options;
    const { logger = silentLogger, metrics } = options;
    metrics?.watchCertificate(`${namespace}/${secretName}`, () => this.expiresMs);
    const { lifetimeMs, ...policy } = policyOf(options);
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
      onRepair: (note) => {
        const event = { type: "Warning", reason: "InvalidCertificate", note, action: "IssueCertificate" } as const;
        this.#events.record(Secret, { metadata: { namespace, name: secretName } } as ReadOf<AnyKind>, event);
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
    this.stopped = this.#run();
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

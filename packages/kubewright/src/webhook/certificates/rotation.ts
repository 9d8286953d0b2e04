import type { Clock } from "@kubewright/core/clock";
import { isAlreadyExists, isConflict, isNotFound } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { CertificateState, IssuedCertificate } from "./certificate-state.js";
import type { CertificateStore, StoredTarget, VersionedState } from "./certificate-store.js";
import type { Issued } from "./issue-certificate.js";
import { isLost, isPublished, nextStep, type RotationPolicy, type Step } from "./next-step.js";

/** What one replica needs to rotate certificates. */
export interface RotationOptions<T extends StoredTarget, S extends VersionedState> {
  readonly store: CertificateStore<T, S>;
  readonly clock: Clock;
  readonly policy: RotationPolicy;
  readonly logger: Logger;
  /** Issues a certificate that is valid from now. */
  readonly issue: (names: readonly string[], nowMs: number) => Issued;
  /** Receives each certificate to serve, once. */
  readonly serve: (certificate: IssuedCertificate) => void;
  /** Called when an invalid Secret was repaired. */
  readonly onRepair?: (why: string, invalid: S) => void;
}

/** After how many conflicts in a row a replica pauses: others make progress. */
const maxConflicts = 10;

/** The steps of one replica. See {@link nextStep} for what they guarantee. */
export class Rotation<T extends StoredTarget = StoredTarget, S extends VersionedState = VersionedState> {
  readonly #options: RotationOptions<T, S>;
  #served: IssuedCertificate | undefined;
  #isPublished = false;
  /** Since when every caBundle has been observed to contain the CA of `next`. */
  #published: { readonly next: string; readonly sinceMs: number } | undefined;

  constructor(options: RotationOptions<T, S>) {
    this.#options = options;
  }

  /** What this replica serves. */
  get served(): IssuedCertificate | undefined {
    return this.#served;
  }

  /** Whether this replica serves a certificate that every caBundle covers, when it last looked. */
  get isReady(): boolean {
    return this.#served !== undefined && this.#isPublished;
  }

  /** Takes steps until there is nothing to do. Returns after how many milliseconds there will be. Rejects when a request fails. */
  async run(signal: AbortSignal): Promise<number> {
    const { store } = this.#options;
    for (let conflicts = 0; ; ) {
      // In this order: a caBundle is only overwritten with that of a Secret that was read later. So it never returns to an earlier one: if another
      // replica publishes a newer Secret in between, the version of the target changes, and the write is rejected.
      const targets = await store.readTargets(signal);
      const stored = await store.readState(signal);
      signal.throwIfAborted();
      // The CAs that replicas need are then those of the targets, read after the Secret was lost: nothing can become current between.
      const step = this.#next(stored, stored && isLost(stored) ? await store.readTargets(signal) : targets);
      if (step.kind === "wait") return step.forMs;
      try {
        await this.#take(step, stored, signal);
        conflicts = 0;
      } catch (error) {
        // A target or the Secret changed or was deleted since it was read.
        if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
        if (++conflicts > maxConflicts) throw error;
      }
    }
  }

  #next(stored: S | undefined, targets: readonly T[]): Step<T> {
    const { clock, policy } = this.#options;
    const nowMs = clock.now();
    const state = stored !== undefined && stored.problems.length === 0 ? stored.state : undefined;
    this.#isPublished = state !== undefined && isPublished(state, targets);
    this.#serve(state?.current, nowMs);
    this.#observe(state);
    const publishedForMs = this.#published === undefined ? 0 : clock.monotonic() - this.#published.sinceMs;
    return nextStep({ stored, targets, nowMs, publishedForMs }, policy);
  }

  /** A certificate is current only after its CA was published; an expired one is about to be replaced. */
  #serve(current: IssuedCertificate | undefined, nowMs: number): void {
    if (current === undefined || nowMs > current.notAfterMs) return;
    if (current.certificate === this.#served?.certificate) return;
    this.#served = current;
    this.#options.serve(current);
  }

  #observe(state: CertificateState | undefined): void {
    const next = state?.next?.certificate;
    if (next === undefined || !this.#isPublished) this.#published = undefined;
    else if (this.#published?.next !== next) this.#published = { next, sinceMs: this.#options.clock.monotonic() };
  }

  async #take(step: Exclude<Step<T>, { kind: "wait" }>, stored: S | undefined, signal: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    switch (step.kind) {
      case "create":
        return await store.writeState(step.state, stored, signal);
      case "issue": {
        const { certificate, authority } = this.#options.issue(step.names, clock.now());
        const authorities = [...step.state.authorities, authority];
        await store.writeState({ ...step.state, next: certificate, authorities }, stored, signal);
        const fields = { why: step.why, expires: new Date(certificate.notAfterMs).toISOString() };
        if (stored === undefined || stored.problems.length === 0)
          return logger.info(fields, "Issued a webhook certificate");
        logger.warn(fields, "Replaced an invalid webhook certificate");
        return this.#options.onRepair?.(step.why, stored);
      }
      case "publish":
        for (const target of step.targets) {
          await store.publish(target, step.bundle, signal);
          logger.info({ target: target.id }, "Published the CA bundle of the webhooks");
        }
        return;
      case "promote":
        await store.writeState(step.state, stored, signal);
        return logger.info({}, "The new webhook certificate is served from now on");
      case "prune":
        await store.writeState(step.state, stored, signal);
        return logger.info({}, "Removed expired CAs of the webhooks");
      default:
        step satisfies never;
    }
  }
}

import { formatKey } from "@kubewright/core/identity";
import type { Logger } from "@kubewright/core/log";
import type { CacheLookup, Change, HandlerRegistration, Informer, InformerSet } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type Cause, causeOf } from "./cause.js";
import { viewOf } from "./predicates.js";
import { type Requests, requestsOfBoth, type Target } from "./request.js";
import type { AnyWatch } from "./watch-mapping.js";

/** Options of {@link KeyRouter}. */
export interface KeyRouterOptions {
  readonly keys: readonly string[];
  readonly watches: readonly AnyWatch[];
  readonly informers: InformerSet;
  /** The cache lookup of mappings. */
  readonly lookup: CacheLookup;
  /** Resync period: how often all cached objects are routed again. @default never */
  readonly resyncMs?: number;
  readonly emit: (key: string, cause: Cause) => void;
  readonly logger: Logger;
}

/** Maps changes to the custom keys of a controller. One change emits each key at most once per watch. */
export class KeyRouter {
  readonly #options: KeyRouterOptions;
  readonly #registrations: HandlerRegistration[] = [];

  constructor(options: KeyRouterOptions) {
    this.#options = options;
  }

  /** Adds handlers to the informers of all watched kinds, and emits the static keys. */
  attach(): void {
    const { watches, informers, resyncMs, keys, emit } = this.#options;
    for (const key of keys) emit(key, { source: "every" });
    const options = resyncMs === undefined ? {} : { resyncMs };
    for (const watch of watches) {
      const informer = informers.informer(watch.kind, watch.selection);
      this.#registrations.push(informer.addHandler((change) => this.#changed(watch, change), options));
    }
  }

  /** Removes the handlers. */
  detach(): void {
    for (const registration of this.#registrations.splice(0)) registration.remove();
  }

  /** Whether the initial list of every watched kind has been routed. */
  get synced(): boolean {
    return this.#registrations.every((registration) => registration.synced);
  }

  /** Emits the key of an external source. An invalid one is logged and ignored. */
  target(target: Target, cause: Cause): void {
    // From user code: it may be anything.
    const key = typeof target === "string" || typeof target?.name === "string" ? keyOfTarget(target) : "";
    if (key !== "") this.#options.emit(key, cause);
    else this.#options.logger.error({}, "Source yielded an invalid key");
  }

  /** Emits every known key that `filter` accepts. */
  all(cause: Cause, filter: (key: string) => boolean = () => true): void {
    const { keys, watches, informers, emit } = this.#options;
    const known = new Set(keys);
    for (const watch of watches) {
      const informer = informers.informer(watch.kind, watch.selection);
      for (const objectKey of informer.keys())
        for (const key of [this.#keysOfKey(watch, informer, objectKey) ?? []].flat()) known.add(key);
    }
    for (const key of known) if (filter(key)) emit(key, cause);
  }

  #changed(watch: AnyWatch, change: Change<AnyKind>): void {
    if (watch.when !== undefined && !this.#passes(watch, change)) return;
    const { old, new: next } = viewOf(change);
    const now = next === undefined ? undefined : this.#keysOf(watch, next);
    const keys = requestsOfBoth(now, old === undefined || old === next ? undefined : this.#keysOf(watch, old));
    if (keys === undefined) return;
    const cause = causeOf("watches", watch.kind, change);
    const { emit } = this.#options;
    if (typeof keys === "string") emit(keys, cause);
    else for (const key of keys) emit(key, cause);
  }

  /** A predicate that throws must not hide a change: an extra reconcile is harmless. */
  #passes(watch: AnyWatch, change: Change<AnyKind>): boolean {
    try {
      return watch.when?.(viewOf(change)) ?? true;
    } catch (error) {
      this.#options.logger.error({ err: error, watched: watch.kind.id }, "Predicate failed, reconciling anyway");
      return true;
    }
  }

  /** The first read of an object fails if the server sent invalid JSON: the others must not be lost with it. */
  #keysOfKey(watch: AnyWatch, informer: Informer<AnyKind>, key: string): Requests {
    try {
      const object = informer.byKey(key);
      return object && this.#keysOf(watch, object);
    } catch (err) {
      this.#options.logger.error({ err, watched: watch.kind.id, key }, "Cannot read a cached object");
      return undefined;
    }
  }

  #keysOf(watch: AnyWatch, object: ReadOf<AnyKind>): Requests {
    try {
      const targets = watch.to(object, this.#options.lookup);
      if (targets === undefined || typeof targets === "string") return targets || undefined;
      if (!Array.isArray(targets)) return keyOfTarget(targets as Target) || undefined;
      return targets.map(keyOfTarget).filter((key) => key !== "");
    } catch (error) {
      const { namespace, name } = objectMeta(object);
      this.#options.logger.error(
        { err: error, watched: watch.kind.id, namespace, name },
        "Watch mapping failed, the change is ignored",
      );
      return undefined;
    }
  }
}

function keyOfTarget(target: Target): string {
  if (typeof target === "string") return target;
  return formatKey({ namespace: target.namespace ?? "", name: target.name });
}

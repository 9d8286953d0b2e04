import { OperatorError } from "@kubewright/core/errors";
import { type ObjectMeta, type OwnerReference, parseApiVersion } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import {
  type CacheLookup,
  type Change,
  everything,
  type HandlerRegistration,
  type InformerSet,
  type Selection,
} from "../cache/index.js";
import { objectMeta, type Trace } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type Cause, causeOf } from "./cause.js";
import { type Predicate, viewOf } from "./predicates.js";
import { type Request, type Requests, requestsOfBoth, type Target } from "./request.js";
import type { AnyWatch } from "./watch-mapping.js";

/** Options of {@link Router}. */
export interface RouterOptions {
  /** The reconciled kind. */
  readonly kind: AnyKind;
  /** Which objects of the kind. @default everything */
  readonly selection?: Selection;
  readonly owns: readonly AnyKind[];
  readonly watches: readonly AnyWatch[];
  /** Predicate for changes of the reconciled kind. @default all changes */
  readonly when?: Predicate;
  readonly informers: InformerSet;
  /** The cache lookup of mappings. */
  readonly lookup: CacheLookup;
  /** Resync period: how often all cached objects are routed again. @default never */
  readonly resyncMs?: number;
  /** The namespace for targets of external sources without one. */
  readonly namespace: string;
  readonly emit: (request: Request, cause: Cause) => void;
  readonly logger?: Logger;
  readonly trace?: Trace;
}

/** How the changes of one watched kind become requests. */
interface Route {
  readonly source: "for" | "owns" | "watches";
  readonly kind: AnyKind;
  readonly selection: Selection;
  readonly requestsOf: (change: Change<AnyKind>) => ReturnType<typeof requestsOfBoth>;
  /** Undefined: all changes. */
  readonly when: Predicate | undefined;
}

/**
 * Maps changes to requests with their causes: for the object itself, for the controller owner of a child (by group and kind of the ownerReference,
 * of the old and the new state), and for the targets of a watch mapping.
 *
 * One change emits each request at most once per route.
 */
export class Router {
  readonly #options: RouterOptions;
  readonly #log: Logger;
  readonly #registrations: HandlerRegistration[] = [];

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#log = options.logger ?? silentLogger;
  }

  /** Adds handlers to the informers of all watched kinds; creates missing informers. */
  attach(): void {
    const { kind, owns, watches, when, selection = everything } = this.#options;
    // Old and new have the same name.
    const requestsOf = (change: Change<AnyKind>): Request => this.#request(objectMeta(change.new ?? change.old));
    this.#listen({ source: "for", kind, selection, requestsOf, when });
    for (const child of owns)
      this.#listen({
        source: "owns",
        kind: child,
        selection: everything,
        requestsOf: (change) => this.#owners(change),
        when: undefined,
      });
    for (const watch of watches)
      this.#listen({
        source: "watches",
        kind: watch.kind,
        selection: watch.selection,
        requestsOf: (change) => this.#targets(watch, change),
        when: watch.when && ((change) => watch.when?.(change) ?? true),
      });
  }

  /** Removes the handlers. */
  detach(): void {
    for (const registration of this.#registrations.splice(0)) registration.remove();
  }

  /** Whether the initial list of every watched kind has been routed. */
  get synced(): boolean {
    return this.#registrations.every((registration) => registration.synced);
  }

  /** Emits a request for the target of an external source. An invalid target is logged and ignored. */
  target(target: Target, cause: Cause): void {
    try {
      this.#emit(this.#resolve(target, this.#options.namespace), cause);
    } catch (error) {
      this.#log.error({ err: error }, "Source yielded an invalid target");
    }
  }

  /** Emits a request for every object of the kind that `filter` accepts. */
  all(cause: Cause, filter: (key: string) => boolean = () => true): void {
    const { informers, kind, selection } = this.#options;
    // A key of the cache is the request for that object.
    for (const request of informers.informer(kind, selection).keys()) if (filter(request)) this.#emit(request, cause);
  }

  #listen({ source, kind, selection, requestsOf, when }: Route): void {
    const handle = (change: Change<AnyKind>): void => {
      if (when !== undefined && !this.#passes(when, kind, change)) return;
      const requests = requestsOf(change);
      if (requests === undefined) return;
      const cause = causeOf(source, kind, change);
      if (typeof requests === "string") this.#emit(requests, cause);
      else for (const request of requests) this.#emit(request, cause);
    };
    const { informers, resyncMs } = this.#options;
    const options = resyncMs === undefined ? {} : { resyncMs };
    this.#registrations.push(informers.informer(kind, selection).addHandler(handle, options));
  }

  /** A predicate that throws must not hide a change: an extra reconcile is harmless. */
  #passes(when: Predicate, kind: AnyKind, change: Change<AnyKind>): boolean {
    try {
      return when(viewOf(change));
    } catch (error) {
      this.#log.error({ err: error, watched: kind.id }, "Predicate failed, reconciling anyway");
      return true;
    }
  }

  #owners({ old, new: next }: Change<AnyKind>): ReturnType<typeof requestsOfBoth> {
    const before = old && objectMeta(old);
    const now = next && objectMeta(next);
    // The common case: the ownerReferences did not change.
    if (before !== undefined && before.ownerReferences === now?.ownerReferences) return this.#owner(now);
    return requestsOfBoth(before && this.#owner(before), now && this.#owner(now));
  }

  #owner({ ownerReferences, namespace }: ObjectMeta): Request | undefined {
    const { kind } = this.#options;
    const owner = ownerReferences?.find(isController);
    // By group and kind, not version: a child created by an older operator may reference an older version of its owner's kind.
    if (owner === undefined || owner.kind !== kind.kind || parseApiVersion(owner.apiVersion)?.group !== kind.group)
      return undefined;
    return this.#request({ namespace, name: owner.name });
  }

  #targets(watch: AnyWatch, change: Change<AnyKind>): ReturnType<typeof requestsOfBoth> {
    const { old, new: next } = viewOf(change);
    const before = old === undefined || old === next ? undefined : this.#mapped(watch, old);
    return requestsOfBoth(before, next && this.#mapped(watch, next));
  }

  #mapped(watch: AnyWatch, object: ReadOf<AnyKind>): Requests {
    try {
      const targets = watch.to(object, this.#options.lookup);
      if (targets === undefined) return undefined;
      const { namespace = "" } = objectMeta(object);
      if (!Array.isArray(targets)) return this.#resolve(targets as Target, namespace);
      return targets.map((target: Target) => this.#resolve(target, namespace));
    } catch (error) {
      const { namespace, name } = objectMeta(object);
      this.#log.error(
        { err: error, watched: watch.kind.id, namespace, name },
        "Watch mapping failed, the change is ignored",
      );
      return undefined;
    }
  }

  #resolve(target: Target, defaultNamespace: string): Request {
    const { kind } = this.#options;
    const name = typeof target === "string" ? target : target.name;
    const namespace = (typeof target === "string" ? undefined : target.namespace) ?? defaultNamespace;
    if (typeof name !== "string" || name === "" || (kind.scope === "Namespaced" && namespace === "")) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot reconcile ${kind.kind} "${name}": a target needs a name and a namespace`,
      );
    }
    return this.#request({ namespace, name });
  }

  #request({ namespace = "", name }: { readonly namespace?: string | undefined; readonly name: string }): Request {
    return this.#options.kind.scope === "Cluster" || namespace === "" ? name : `${namespace}/${name}`;
  }

  #emit(request: Request, cause: Cause): void {
    const { kind, trace, emit } = this.#options;
    trace?.("route", { kind: kind.id, key: request, what: cause.source });
    emit(request, cause);
  }
}

function isController({ controller }: OwnerReference): boolean {
  return controller === true;
}

import { OperatorError } from "@kubewright/core/errors";
import { type ObjectMeta, type OwnerReference, parseApiVersion } from "@kubewright/core/identity";
import { type Logger, silentLogger } from "@kubewright/core/log";
import {
  type CacheLookup,
  type Change,
  everything,
  type HandlerRegistration,
  type Informer,
  type InformerSet,
  type Selection,
} from "../cache/index.js";
import { objectMeta, type StageListener } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type Cause, causeOf } from "./cause.js";
import { managerOf } from "./managed-owner.js";
import type { OwnWrites } from "./own-writes.js";
import { type Predicate, viewOf } from "./predicates.js";
import { listOf, type Request, type Requests, requestsOfBoth, type Target } from "./request.js";
import type { Emission, TrackedReads } from "./tracked-reads.js";
import type { AnyWatch } from "./watch-mapping.js";

/** Options of {@link Router}. */
export interface RouterOptions {
  /** The reconciled kind; undefined where the keys are the controller's own. */
  readonly kind: AnyKind | undefined;
  /** Which objects of the kind. @default everything */
  readonly selection?: Selection;
  /** Keys of a controller without a kind that are emitted at the start. @default none */
  readonly keys?: readonly string[];
  /** Kinds of children, and which of their objects are watched. */
  readonly owns: readonly { readonly kind: AnyKind; readonly selection: Selection }[];
  /** Kinds of managed objects: as `owns`, for objects that name their owner in an annotation. @default none */
  readonly manages?: RouterOptions["owns"];
  readonly watches: readonly AnyWatch[];
  /** Predicate for changes of the reconciled kind. @default all changes */
  readonly when?: Predicate;
  readonly informers: InformerSet;
  /** The cache lookup of mappings. */
  readonly lookup: CacheLookup;
  /** The controller's own writes to objects of the kind: they cause no request. @default none */
  readonly ownWrites?: OwnWrites;
  /** What runs have read: a change of it reconciles what read it. @default nothing is tracked */
  readonly reads?: TrackedReads;
  /** Resync period: how often all cached objects are routed again. @default never */
  readonly resyncMs?: number;
  /** The namespace for targets of external sources without one. */
  readonly namespace: string;
  readonly emit: (request: Request, cause: Cause) => void;
  /** As `emit`, for the watch event of a write by the request's own run to an object that it had read. @default as `emit` */
  readonly emitEcho?: (request: Request, cause: Cause) => void;
  readonly logger?: Logger;
  /** A mapping threw for a watched object: the change is ignored. */
  readonly onMappingFailed?: (kind: AnyKind, object: ReadOf<AnyKind>, error: unknown) => void;
  readonly onStage?: StageListener;
}

/** How the changes of one watched kind become requests. */
interface Route {
  readonly source: "for" | "owns" | "manages" | "watches";
  readonly kind: AnyKind;
  readonly selection: Selection;
  readonly requestsOf: (change: Change<AnyKind>) => ReturnType<typeof requestsOfBoth>;
  /** Undefined: all changes. */
  readonly when: Predicate | undefined;
}

/**
 * Maps changes to requests with their causes: for the object itself, for the controller owner of a child (by group and kind of the ownerReference,
 * of the old and the new state), for the owner of a managed object (by its annotation), for the targets of a watch mapping, and for what has read the object. Without a kind only mappings, reads and sources
 * make requests, and a target is the key itself.
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

  /** Adds handlers to the informers of all watched kinds; creates missing informers. Emits the static keys. */
  attach(): void {
    const { kind, keys = [], owns, manages = [], watches, when, selection = everything } = this.#options;
    for (const key of keys) this.#emit(key, { source: "every" });
    if (kind !== undefined) {
      // Old and new have the same name.
      const requestsOf = (change: Change<AnyKind>): Request => requestFor(kind, objectMeta(change.new ?? change.old));
      this.#listen({ source: "for", kind, selection, requestsOf, when });
      for (const child of owns)
        this.#listen({
          source: "owns",
          ...child,
          requestsOf: (change) => ownersIn(kind, change),
          when: undefined,
        });
      for (const managed of manages)
        this.#listen({
          source: "manages",
          ...managed,
          requestsOf: ({ old, new: next }) =>
            requestsOfBoth(old && managerOf(kind, objectMeta(old)), next && managerOf(kind, objectMeta(next))),
          when: undefined,
        });
    }
    for (const watch of watches)
      this.#listen({
        source: "watches",
        kind: watch.kind,
        selection: watch.selection,
        requestsOf: (change) => this.#targets(watch, change),
        when: watch.when && ((change) => watch.when?.(change) ?? true),
      });
    this.#trackReads();
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

  /** Emits every known request that `filter` accepts: each object of the kind; or the static keys, and those that cached objects map to. */
  all(cause: Cause, filter: (key: string) => boolean = () => true): void {
    const { informers, kind, selection } = this.#options;
    // A key of the cache is the request for that object.
    const known = kind === undefined ? this.#knownKeys() : informers.informer(kind, selection).keys();
    for (const request of known) if (filter(request)) this.#emit(request, cause);
  }

  #knownKeys(): ReadonlySet<Request> {
    const { keys = [], watches, informers } = this.#options;
    const known = new Set(keys);
    for (const watch of watches) {
      const informer = informers.informer(watch.kind, watch.selection);
      for (const key of informer.keys())
        for (const request of listOf(this.#mappedKey(watch, informer, key))) known.add(request);
    }
    return known;
  }

  #listen({ source, kind, selection, requestsOf, when }: Route): void {
    const route = (change: Change<AnyKind>): void => {
      if (when !== undefined && !this.#passes(when, kind, change)) return;
      const requests = requestsOf(change);
      if (requests === undefined) return;
      const cause = causeOf(source, kind, change);
      if (typeof requests === "string") this.#emit(requests, cause);
      else for (const request of requests) this.#emit(request, cause);
    };
    const { informers, resyncMs, ownWrites } = this.#options;
    const handle =
      source !== "for" || ownWrites === undefined
        ? route
        : (change: Change<AnyKind>): void => {
            const isTaken =
              !ownWrites.isEmpty &&
              ownWrites.takes(requestFor(kind, objectMeta(change.new ?? change.old)), change, route);
            if (!isTaken) route(change);
          };
    const options = resyncMs === undefined ? {} : { resyncMs };
    this.#registrations.push(informers.informer(kind, selection).addHandler(handle, options));
  }

  /** Without resyncs: a replayed object has not changed. */
  #trackReads(): void {
    const { reads, informers, emit, emitEcho = emit } = this.#options;
    for (const tracked of reads?.tracked ?? []) {
      const { kind, selection } = tracked;
      const emission: Emission = {
        now: (request, change) => this.#emit(request, causeOf("reads", kind, change)),
        echo: (request, change) => this.#emit(request, causeOf("reads", kind, change), emitEcho),
      };
      const handle = (change: Change<AnyKind>): void => reads?.route(tracked, change, emission);
      this.#registrations.push(informers.informer(kind, selection).addHandler(handle));
    }
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

  #targets(watch: AnyWatch, change: Change<AnyKind>): ReturnType<typeof requestsOfBoth> {
    const { old, new: next } = viewOf(change);
    const before = old === undefined || old === next ? undefined : this.#mapped(watch, old);
    return requestsOfBoth(before, next && this.#mapped(watch, next));
  }

  #mapped(watch: AnyWatch, object: ReadOf<AnyKind>): Requests {
    try {
      const targets = watch.to(object, this.#options.lookup);
      // "" as `labels["owner"] ?? ""` returns it: none.
      if (targets === undefined || targets === "") return undefined;
      const { namespace = "" } = objectMeta(object);
      if (!Array.isArray(targets)) return this.#resolve(targets as Target, namespace);
      return targets.filter((target) => target !== "").map((target: Target) => this.#resolve(target, namespace));
    } catch (error) {
      const { namespace, name } = objectMeta(object);
      this.#log.error(
        { err: error, watched: watch.kind.id, namespace, name },
        "Watch mapping failed, the change is ignored",
      );
      this.#options.onMappingFailed?.(watch.kind, object, error);
      return undefined;
    }
  }

  /** The first read of an object fails if the server sent invalid JSON: the others must not be lost with it. */
  #mappedKey(watch: AnyWatch, informer: Informer<AnyKind>, key: string): Requests {
    try {
      const object = informer.byKey(key);
      return object && this.#mapped(watch, object);
    } catch (err) {
      this.#log.error({ err, watched: watch.kind.id, key }, "Cannot read a cached object");
      return undefined;
    }
  }

  #resolve(target: Target, defaultNamespace: string): Request {
    const { kind } = this.#options;
    const name = typeof target === "string" ? target : target.name;
    const namespace = typeof target === "string" ? undefined : target.namespace;
    const needsNamespace = kind?.scope === "Namespaced";
    if (typeof name !== "string" || name === "" || (needsNamespace && (namespace ?? defaultNamespace) === "")) {
      const what = kind === undefined ? `key "${name}"` : `${kind.kind} "${name}"`;
      const needs = kind === undefined ? "a key must not be empty" : "a target needs a name and a namespace";
      throw new OperatorError("CONFIG_INVALID", `Cannot reconcile ${what}: ${needs}`);
    }
    return kind === undefined
      ? joined(namespace, name)
      : requestFor(kind, { namespace: namespace ?? defaultNamespace, name });
  }

  #emit(request: Request, cause: Cause, emit = this.#options.emit): void {
    const { kind, onStage } = this.#options;
    onStage?.("route", { kind: kind?.id ?? "", key: request, what: cause.source });
    emit(request, cause);
  }
}

/** The requests for the controller owners of a child, before and after a change. */
function ownersIn(kind: AnyKind, { old, new: next }: Change<AnyKind>): ReturnType<typeof requestsOfBoth> {
  const before = old && objectMeta(old);
  const now = next && objectMeta(next);
  // The common case: the ownerReferences did not change.
  if (before && now && before.ownerReferences === now.ownerReferences) return ownerIn(kind, now);
  return requestsOfBoth(before && ownerIn(kind, before), now && ownerIn(kind, now));
}

function ownerIn(kind: AnyKind, { ownerReferences, namespace }: ObjectMeta): Request | undefined {
  const owner = ownerReferences?.find(isController);
  // By group and kind, not version: a child created by an older operator may reference an older version of its owner's kind.
  if (owner === undefined || owner.kind !== kind.kind || parseApiVersion(owner.apiVersion)?.group !== kind.group)
    return undefined;
  return requestFor(kind, { namespace, name: owner.name });
}

function isController({ controller }: OwnerReference): boolean {
  return controller === true;
}

function requestFor(
  kind: AnyKind,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name: string },
): Request {
  return kind.scope === "Cluster" ? name : joined(namespace, name);
}

function joined(namespace: string | undefined, name: string): Request {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

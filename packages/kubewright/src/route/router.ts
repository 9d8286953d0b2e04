import { OperatorError } from "@kubewright/core/errors";
import { parseApiVersion } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
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
import { formatRequest, type Request, type Target } from "./request.js";
import type { AnyWatch } from "./watch-mapping.js";

/** Which changes lead to which objects, and where the requests go. */
export interface RouterOptions {
  /** The kind that is reconciled. */
  readonly kind: AnyKind;
  /** Which objects of it. @default everything */
  readonly selection?: Selection;
  readonly owns: readonly AnyKind[];
  readonly watches: readonly AnyWatch[];
  /** Which changes of the kind itself count; all where it is left out. */
  readonly when?: Predicate;
  readonly informers: InformerSet;
  /** What mappings can look at. */
  readonly lookup: CacheLookup;
  /** How often everything that is known is routed again. @default never */
  readonly resyncMs?: number;
  /** The namespace of targets that outside sources name without one. */
  readonly namespace: string;
  readonly emit: (request: Request, cause: Cause) => void;
  readonly logger?: Logger;
  readonly trace?: Trace;
}

const none: readonly Request[] = [];

/**
 * Turns changes into requests, each with its cause: for the object itself, for the controller of a child (by group and
 * kind of the owner reference, both of the old and of the new state), and for what a mapping names.
 *
 * One change gives each request at most once per route.
 */
export class Router {
  readonly #options: RouterOptions;
  readonly #log: Logger;
  readonly #registrations: HandlerRegistration[] = [];

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#log = options.logger ?? silentLogger;
  }

  /** Begins to listen to the informers of all kinds concerned; makes them where they are missing. */
  attach(): void {
    const { kind, owns, watches, when, selection = everything } = this.#options;
    this.#listen("for", kind, selection, (object) => [this.#request(objectMeta(object))], when);
    for (const child of owns) this.#listen("owns", child, everything, (object) => this.#owners(object));
    for (const watch of watches) {
      this.#listen(
        "watches",
        watch.kind,
        watch.selection,
        (object) => this.#mapped(watch, object),
        watch.when && ((change) => watch.when?.(change) ?? true),
      );
    }
  }

  /** Stops listening. */
  detach(): void {
    for (const registration of this.#registrations.splice(0)) registration.remove();
  }

  /** Whether the first list of every kind concerned has been turned into requests. */
  get synced(): boolean {
    return this.#registrations.every((registration) => registration.synced);
  }

  /** Requests the object that an outside source names. A name that cannot be one is reported and leads nowhere. */
  target(target: Target, cause: Cause): void {
    try {
      this.#emit(this.#resolve(target, this.#options.namespace), cause);
    } catch (error) {
      this.#log.error({ err: error }, "Target of a source is not a name");
    }
  }

  /** Requests every object of the kind, or those that are `wanted`. */
  all(cause: Cause, wanted: (key: string) => boolean = () => true): void {
    const { informers, kind, selection } = this.#options;
    for (const object of informers.informer(kind, selection).list()) {
      const request = this.#request(objectMeta(object));
      if (wanted(formatRequest(request))) this.#emit(request, cause);
    }
  }

  #listen(
    source: "for" | "owns" | "watches",
    kind: AnyKind,
    selection: Selection,
    requestsOf: (object: ReadOf<AnyKind>) => readonly Request[],
    when?: Predicate,
  ): void {
    const handle = (change: Change<AnyKind>): void => {
      if (when !== undefined && !this.#counts(when, kind, change)) return;
      const requests = change.new === undefined ? none : requestsOf(change.new);
      const before = change.old === undefined ? none : requestsOf(change.old);
      if (requests.length === 0 && before.length === 0) return;
      const cause = causeOf(source, kind, change);
      const [first] = requests;
      const [old = first] = before;
      // Mostly one object, the same before and after.
      if (
        requests.length === 1 &&
        before.length <= 1 &&
        first !== undefined &&
        old !== undefined &&
        isSame(first, old)
      ) {
        this.#emit(first, cause);
        return;
      }
      const all = new Map([...before, ...requests].map((request) => [formatRequest(request), request]));
      for (const request of all.values()) this.#emit(request, cause);
    };
    const { informers, resyncMs } = this.#options;
    const options = resyncMs === undefined ? {} : { resyncMs };
    this.#registrations.push(informers.informer(kind, selection).addHandler(handle, options));
  }

  /** A predicate that fails must not hide a change: reconciling once too often does no harm. */
  #counts(when: Predicate, kind: AnyKind, change: Change<AnyKind>): boolean {
    try {
      return when(viewOf(change));
    } catch (error) {
      this.#log.error({ err: error, watched: kind.id }, "Predicate failed, the change counts");
      return true;
    }
  }

  #owners(object: ReadOf<AnyKind>): readonly Request[] {
    const { kind } = this.#options;
    const { ownerReferences = [], namespace = "" } = objectMeta(object);
    // By group and kind, not version: a child that an earlier version of the program made names an earlier version of its owner.
    const owner = ownerReferences.find((reference) => reference.controller === true);
    if (owner === undefined || owner.kind !== kind.kind || parseApiVersion(owner.apiVersion)?.group !== kind.group)
      return [];
    return [this.#request({ namespace, name: owner.name })];
  }

  #mapped(watch: AnyWatch, object: ReadOf<AnyKind>): readonly Request[] {
    try {
      const targets = watch.to(deepFreeze(object) as ReadOf<AnyKind>, this.#options.lookup);
      if (targets === undefined) return [];
      const { namespace = "" } = objectMeta(object);
      const list: readonly Target[] = Array.isArray(targets) ? targets : [targets as Target];
      return list.map((target) => this.#resolve(target, namespace));
    } catch (error) {
      const { namespace, name } = objectMeta(object);
      this.#log.error({ err: error, watched: watch.kind.id, namespace, name }, "Mapping of a watched object failed");
      return [];
    }
  }

  #resolve(target: Target, defaultNamespace: string): Request {
    const { kind } = this.#options;
    const name = typeof target === "string" ? target : target.name;
    const namespace = (typeof target === "string" ? undefined : target.namespace) ?? defaultNamespace;
    if (typeof name !== "string" || name === "" || (kind.scope === "Namespaced" && namespace === "")) {
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot request ${kind.kind} "${name}": give its name and its namespace`,
      );
    }
    return this.#request({ namespace, name });
  }

  #request({ namespace = "", name }: { readonly namespace?: string; readonly name: string }): Request {
    const { kind } = this.#options;
    return { kind: kind.id, namespace: kind.scope === "Cluster" ? "" : namespace, name };
  }

  #emit(request: Request, cause: Cause): void {
    this.#options.trace?.("route", { kind: request.kind, key: formatRequest(request), what: cause.source });
    this.#options.emit(request, cause);
  }
}

function isSame(a: Request, b: Request): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.kind === b.kind;
}

import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import { type Change, everything, type ListQuery, type Selection } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";
import { KindReads, listOf, type Read } from "./kind-reads.js";
import type { Request } from "./request.js";
import { RunWrites } from "./run-writes.js";

/** A cached selection of a kind whose reads are tracked. */
export interface TrackedKind {
  readonly kind: AnyKind;
  readonly selection: Selection;
}

/** What depends on reads: a request, with what its runs have read. */
class Dependent {
  readonly request: Request;
  /** The reads of the last completed run. */
  completed: readonly Read<Dependent>[] = [];
  /** The reads of the run that failed since. */
  failed: readonly Read<Dependent>[] | undefined;
  /** The reads of the run in flight. */
  current: Read<Dependent>[] | undefined;
  /** The writes of the last run and of the one in flight to tracked kinds. */
  writes: RunWrites | undefined;

  constructor(request: Request) {
    this.request = request;
  }
}

/** How a change reaches the queue. */
export interface Emission {
  /** A change that the request's runs did not make. */
  readonly now: (request: Request, change: Change<AnyKind>) => void;
  /** The echo of a write of the request's own run: to be delayed if such runs follow each other. */
  readonly echo: (request: Request, change: Change<AnyKind>) => void;
}

/**
 * What the runs of a controller have read from the cache, so that a change of it reconciles the object that read it.
 *
 * Guarantees: a request depends on the reads of its last completed run, of a run that failed since, and of the one in flight. A read counts from the
 * moment it is recorded, which must be in the same turn as the read of the cache: no change in between is lost. An object does not depend on
 * itself. Each change reaches each dependent once; the echo of a write by the request's own run is marked as such, never dropped.
 */
export class TrackedReads {
  /** Each kind and selection once. */
  readonly tracked: readonly TrackedKind[];
  readonly #byTracked = new Map<TrackedKind, KindReads<Dependent>>();
  /** By the id of the kind, then of the selection. The first selection of a kind is the one that single objects are read from. */
  readonly #byId = new Map<string, Map<string, KindReads<Dependent>>>();
  readonly #first = new Map<string, KindReads<Dependent>>();
  readonly #dependents = new Map<Request, Dependent>();
  readonly #own: AnyKind | undefined;

  /** `own` is the reconciled kind. */
  constructor(tracked: readonly TrackedKind[], own: AnyKind | undefined) {
    this.#own = own;
    this.tracked = tracked.filter((one) => {
      const { kind, selection } = one;
      const ofKind = this.#byId.get(kind.id) ?? new Map<string, KindReads<Dependent>>();
      if (ofKind.has(selection.id)) return false;
      const reads = new KindReads<Dependent>();
      this.#byId.set(kind.id, ofKind.set(selection.id, reads));
      this.#byTracked.set(one, reads);
      if (!this.#first.has(kind.id)) this.#first.set(kind.id, reads);
      return true;
    });
  }

  /** Whether reads of this kind are tracked. */
  tracks(kind: AnyKind): boolean {
    return this.#first.has(kind.id);
  }

  /** How many requests depend on reads. */
  get size(): number {
    return this.#dependents.size;
  }

  /** Records that the run in flight of a request has read an object, or that it is missing. */
  recordObject(request: Request, kind: AnyKind, key: ObjectKey): void {
    const reads = this.#first.get(kind.id);
    if (reads === undefined || (this.#isOwn(kind) && formatKey(key) === request)) return;
    const dependent = this.#dependentOf(request);
    keep(dependent, reads.addObject(key.namespace, key.name, dependent));
  }

  /** Records that the run in flight of a request has listed objects. */
  recordList(request: Request, kind: AnyKind, query: ListQuery): void {
    const reads = this.#byId.get(kind.id)?.get((query.selection ?? everything).id);
    if (reads === undefined) return;
    const dependent = this.#dependentOf(request);
    keep(dependent, reads.addList(query, dependent));
  }

  /** Sends a write of the run in flight of a request, so that its echo is recognised. */
  async write<T>(request: Request, kind: AnyKind, send: () => Promise<T>): Promise<T> {
    if (!this.#first.has(kind.id)) return send();
    const dependent = this.#dependentOf(request);
    dependent.writes ??= new RunWrites();
    return dependent.writes.track(kind, send);
  }

  /** The run in flight of a request has ended, or its object is gone. A completed run replaces the earlier reads, one that failed before it read anything keeps them. */
  settle(request: Request, completed: boolean): void {
    const dependent = this.#dependents.get(request);
    if (dependent === undefined) return;
    const { current = [] } = dependent;
    const before = completed ? [dependent.completed, dependent.failed ?? []] : [dependent.failed ?? []];
    if (completed) {
      dependent.completed = sameReads(current, dependent.completed) ? dependent.completed : [...new Set(current)];
      dependent.failed = undefined;
    } else if (dependent.current !== undefined) dependent.failed = [...new Set(current)];
    dependent.current = undefined;
    dropOthers(dependent, before);
    if (dependent.writes?.runEnded() === false) dependent.writes = undefined;
    if (dependent.completed.length === 0 && dependent.failed === undefined && dependent.writes === undefined)
      this.#dependents.delete(request);
  }

  /** Forgets a request: its object is gone, or another replica owns it. */
  forget(request: Request): void {
    const dependent = this.#dependents.get(request);
    if (dependent === undefined) return;
    this.#dependents.delete(request);
    for (const reads of [dependent.completed, dependent.failed ?? [], dependent.current ?? []])
      for (const read of reads) read.of.remove(read, dependent);
  }

  /** Routes a change of one of `tracked` to all that have read what changed. */
  route(tracked: TrackedKind, change: Change<AnyKind>, { now, echo }: Emission): void {
    const dependents = this.#byTracked.get(tracked)?.dependentsOf(change);
    if (dependents === undefined) return;
    const { kind } = tracked;
    const metadata = objectMeta(change.new ?? change.old);
    const self = this.#isOwn(kind) ? formatKey(keyOf({ metadata })) : undefined;
    for (const { request, writes } of listOf(dependents)) {
      if (request === self) continue;
      if (writes === undefined || change.new === undefined) now(request, change);
      else writes.classify(kind, metadata, (isEcho) => (isEcho ? echo : now)(request, change));
    }
  }

  #isOwn(kind: AnyKind): boolean {
    return kind.id === this.#own?.id;
  }

  #dependentOf(request: Request): Dependent {
    const known = this.#dependents.get(request);
    if (known !== undefined) return known;
    const dependent = new Dependent(request);
    this.#dependents.set(request, dependent);
    return dependent;
  }
}

function keep(dependent: Dependent, read: Read<Dependent>): void {
  if (dependent.current === undefined) dependent.current = [read];
  // A loop that reads the same object again and again.
  else if (dependent.current.at(-1) !== read) dependent.current.push(read);
}

/** Most runs read the same as the one before. */
function sameReads(a: readonly Read<Dependent>[], b: readonly Read<Dependent>[]): boolean {
  return a.length === b.length && a.every((read, at) => read === b[at]);
}

/** Removes the dependent from reads that it no longer keeps. */
function dropOthers(dependent: Dependent, before: readonly (readonly Read<Dependent>[])[]): void {
  const { completed, failed = [] } = dependent;
  if (before.every((reads) => reads === completed || reads.length === 0)) return;
  const kept = new Set([...completed, ...failed]);
  for (const reads of before) for (const read of reads) if (!kept.has(read)) read.of.remove(read, dependent);
}

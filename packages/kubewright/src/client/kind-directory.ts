import type { DiscoveredKind } from "./discovered-kind.js";
import type { Discovered } from "./discovery.js";
import { findKind, type KindName, unknownKind } from "./kind-name.js";

interface Look {
  readonly startedAt: number;
  readonly found: Promise<Discovered>;
}

/**
 * The kinds of one server, looked up once and kept.
 *
 * A name that is not known makes it look again, once per call and shared by calls that wait at the same time: kinds that were installed later are
 * found. A failed look is not kept.
 */
export class KindDirectory {
  readonly #discover: () => Promise<Discovered>;
  #look: Look | undefined;
  #time = 0;

  constructor(discover: () => Promise<Discovered>) {
    this.#discover = discover;
  }

  /** The kind of this name. Throws when there is none (`isNotFound`), or more than one. */
  async find(name: KindName): Promise<DiscoveredKind> {
    const calledAt = ++this.#time;
    const look = this.#current();
    const known = findKind(name, (await look.found).kinds);
    if (known !== undefined) return known;
    // A refresh that started after the call is fresh enough, whichever call made it.
    const fresh = await this.#current(calledAt).found;
    const found = findKind(name, fresh.kinds);
    if (found !== undefined) return found;
    throw unknownKind(name, fresh);
  }

  /** Every kind, as a fresh look finds them. */
  async all(): Promise<Discovered> {
    return this.#current(++this.#time).found;
  }

  /** Makes the next call refresh: a kind is no longer served. */
  forget(): void {
    this.#look = undefined;
  }

  #current(notBefore = 0): Look {
    if (this.#look !== undefined && this.#look.startedAt >= notBefore) return this.#look;
    const look: Look = { startedAt: ++this.#time, found: this.#discover() };
    this.#look = look;
    look.found.catch(() => {
      if (this.#look === look) this.#look = undefined;
    });
    return look;
  }
}

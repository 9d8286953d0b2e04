import type { Clock } from "@kubewright/core/clock";
import { RecentMap } from "../status/index.js";

interface Birth {
  readonly createdMs: number;
  /** How often in a row the child was deleted soon after it was created. */
  readonly shortLives: number;
}

/** A child that is deleted sooner after its creation had a short life. */
const shortMs = 10_000;
/** Short lives in a row that cause no delay: a user deletes children, too. */
const tolerated = 3;
const delays = { firstMs: 1_000, maxMs: 300_000 };
/** Bounds on remembered children; the least recently created are dropped. */
const maxChildren = 1_000;

/** Delays the creation of a child that is deleted again and again soon after it was created. The delay doubles, from 1 s to 5 min. */
export class Recreations {
  readonly #clock: Clock;
  readonly #births = new RecentMap<Birth>(maxChildren);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the child must not be created; 0: it may be created now. */
  waitMs(id: string): number {
    const birth = this.#births.get(id);
    if (birth === undefined || !this.#isShort(birth)) return 0;
    return Math.max(0, birth.createdMs + delayMs(birth.shortLives + 1) - this.#clock.monotonic());
  }

  /** The child was created. */
  created(id: string): void {
    const birth = this.#births.get(id);
    const shortLives = birth !== undefined && this.#isShort(birth) ? birth.shortLives + 1 : 0;
    this.#births.set(id, { createdMs: this.#clock.monotonic(), shortLives });
  }

  /** The delay itself does not lengthen a life. */
  #isShort({ createdMs, shortLives }: Birth): boolean {
    return this.#clock.monotonic() - createdMs < shortMs + delayMs(shortLives + 1);
  }
}

function delayMs(shortLives: number): number {
  return shortLives <= tolerated ? 0 : Math.min(delays.firstMs * 2 ** (shortLives - tolerated - 1), delays.maxMs);
}

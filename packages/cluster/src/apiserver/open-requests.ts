import type { Http2ServerResponse } from "node:http2";

/** A request whose response is not sent yet. */
export interface OpenRequest {
  readonly response: Http2ServerResponse;
  /** By `performance.now()`. */
  readonly arrivedMs: number;
}

interface Link extends OpenRequest {
  previous: Link | undefined;
  next: Link | undefined;
  isListed: boolean;
}

/**
 * The open requests, the oldest first. A linked list: a Map that gains and loses an entry with each request costs the garbage collector a sixth
 * of the time of a read.
 */
export class OpenRequests {
  #first: Link | undefined;
  #last: Link | undefined;

  /** Lists a request until the returned request is removed. */
  add(response: Http2ServerResponse): OpenRequest {
    const link: Link = {
      response,
      arrivedMs: performance.now(),
      previous: this.#last,
      next: undefined,
      isListed: true,
    };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    return link;
  }

  /** Does nothing if it is removed already. */
  remove(request: OpenRequest): void {
    const link = request as Link;
    if (!link.isListed) return;
    link.isListed = false;
    if (link.previous === undefined) this.#first = link.next;
    else link.previous.next = link.next;
    if (link.next === undefined) this.#last = link.previous;
    else link.next.previous = link.previous;
    // A dead link that is old must not keep younger ones alive.
    link.previous = undefined;
    link.next = undefined;
  }

  /** Removes the oldest request if it arrived before a time, and returns it. */
  takeBefore(ms: number): OpenRequest | undefined {
    const oldest = this.#first;
    if (oldest === undefined || oldest.arrivedMs > ms) return undefined;
    this.remove(oldest);
    return oldest;
  }
}

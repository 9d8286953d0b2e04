import type { TestClusterOptions } from "@kubewright/testing";
import type { EtcdMembers } from "../members/etcd-members.js";

type Transport = Parameters<NonNullable<TestClusterOptions["wrapTransport"]>>[0];
type Side = "before" | "after";

const changes = new Set<string>([
  "addLearner",
  "promote",
  "remove",
  "moveLeader",
  "disarm",
  "defragment",
  "compact",
  "put",
] satisfies (keyof EtcdMembers)[]);

/** Every write is a crash point in `npm run test:real`, and every fourth in `npm test`, which has to be quick. */
export const crashStride = process.env["KUBEWRIGHT_TEST_CLUSTER"] === "real" ? 1 : 4;

/**
 * Crashes an operator before or after its nth write: of an API object, or of a change in etcd.
 *
 * A crashed operator can send nothing more. The test then starts another one, which knows only what is stored.
 */
export class CrashPoints {
  #written = 0;
  #at: number | undefined;
  #side: Side = "before";
  #hasCrashed = false;

  /** Crashes at this write, counted from 0 and from now. */
  arm(at: number, side: Side): void {
    this.#written = 0;
    this.#at = at;
    this.#side = side;
  }

  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** Another process: it does not crash again. */
  restart(): void {
    this.#hasCrashed = false;
    this.#at = undefined;
  }

  /** Makes requests of the operator crash. */
  transport(inner: Transport): Transport {
    return {
      ...(inner.host !== undefined && { host: inner.host }),
      close: () => inner.close(),
      send: (request) =>
        request.method === "GET" ? this.#alive(() => inner.send(request)) : this.#write(() => inner.send(request)),
      stream: (request) => this.#alive(() => inner.stream(request)),
    };
  }

  /** Makes calls to members crash. */
  members(inner: EtcdMembers): EtcdMembers {
    return new Proxy(inner, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== "function") return member;
        // A stream: nothing is written.
        if (name === "snapshot") return member.bind(target);
        const call = (...args: unknown[]): Promise<unknown> => Reflect.apply(member, target, args);
        return (...args: unknown[]) =>
          changes.has(String(name)) ? this.#write(() => call(...args)) : this.#alive(() => call(...args));
      },
    });
  }

  /** Makes requests to other services crash. */
  fetch(inner: typeof fetch): typeof fetch {
    return (url, init) =>
      (init?.method ?? "GET") === "GET" ? this.#alive(() => inner(url, init)) : this.#write(() => inner(url, init));
  }

  async #alive<T>(act: () => Promise<T>): Promise<T> {
    if (this.#hasCrashed) throw new Error("The operator has crashed");
    return act();
  }

  async #write<T>(act: () => Promise<T>): Promise<T> {
    const isHere = !this.#hasCrashed && this.#written++ === this.#at;
    if (isHere && this.#side === "before") this.#hasCrashed = true;
    const result = await this.#alive(act);
    if (!isHere) return result;
    this.#hasCrashed = true;
    throw new Error("The operator has crashed");
  }
}

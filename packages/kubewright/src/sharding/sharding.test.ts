/** Several processes on one server of Leases, in virtual time: they start, stop, pause, and lose requests. */
import { type Clock, FakeClock } from "@kubewright/core/clock";
import { silentLogger } from "@kubewright/core/log";
import type { Transport, TransportRequest, TransportResponse } from "@kubewright/core/transport";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createClient } from "../client/index.js";
import { LocalElection } from "../lease/index.js";
import { Sharding, shardingSettings } from "./index.js";

interface StoredLease {
  metadata: { name: string; namespace: string; resourceVersion: string; uid: string };
  spec?: { holderIdentity?: string };
}

/** Leases with resourceVersions and conflicts: the part of the API server that elections use. */
class LeaseServer {
  readonly leases = new Map<string, StoredLease>();
  #version = 0;

  handle({ method, path, body, query }: TransportRequest): TransportResponse {
    const name = path.split("/leases/")[1];
    if (name === undefined && method === "GET") return respond(200, this.#list());
    const given = body as StoredLease & { preconditions?: { resourceVersion?: string } };
    const key = name ?? given.metadata.name;
    const stored = this.leases.get(key);
    if (method === "POST") return stored ? failure(409, "AlreadyExists") : respond(201, this.#store(key, given));
    if (stored === undefined) return failure(404, "NotFound", key);
    if (method === "GET") return respond(200, stored);
    const version = method === "DELETE" ? given.preconditions?.resourceVersion : given.metadata.resourceVersion;
    if (version !== stored.metadata.resourceVersion) return failure(409, "Conflict");
    if (method === "PUT") return respond(200, this.#store(key, given));
    this.leases.delete(key);
    return respond(200, { kind: "Status", status: "Success", query });
  }

  #list() {
    return {
      kind: "LeaseList",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { resourceVersion: String(this.#version) },
      items: [...this.leases.values()],
    };
  }

  #store(name: string, { metadata, ...rest }: StoredLease): StoredLease {
    this.#version += 1;
    const stored = {
      ...rest,
      metadata: { ...metadata, uid: name, name, namespace: "default", resourceVersion: String(this.#version) },
    };
    this.leases.set(name, stored);
    return stored;
  }
}

const respond = (status: number, body: unknown): TransportResponse => ({ status, headers: {}, body });
const failure = (code: number, reason: string, name = ""): TransportResponse =>
  respond(code, {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason,
    message: reason,
    code,
    details: { name },
  });

const turns = async (count = 60): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

/** One process that can be paused and continued or killed, and whose requests can get lost. */
class Replica {
  readonly identity: string;
  readonly sharding: Sharding;
  readonly election: LocalElection;
  readonly #world: World;
  #paused: (() => void)[] | undefined;
  #dead = false;
  /** How many of the next requests or responses get lost. */
  lose: { count: number; way: "request" | "response" } = { count: 0, way: "request" };
  left: Promise<void> | undefined;

  private constructor(world: World, identity: string, settings: Awaited<ReturnType<typeof shardingSettings>>) {
    this.#world = world;
    this.identity = identity;
    const common = {
      client: createClient(this.#transport),
      clock: this.#clock,
      random: () => 0.5,
      logger: silentLogger,
    };
    this.election = new LocalElection({ ...common, settings: settings.member });
    this.sharding = new Sharding({ ...common, settings, leadership: this.election.leadership });
    this.election.leadership.acquired.then(
      () => this.sharding.start(),
      () => {},
    );
    this.election.start();
  }

  static async start(world: World, identity: string): Promise<Replica> {
    return new Replica(world, identity, await shardingSettings({ namespace: "default", identity, shards: 4 }, "test"));
  }

  readonly #clock: Clock = {
    now: () => this.#world.clock.now(),
    monotonic: () => this.#world.clock.monotonic(),
    startTimer: (ms, callback) => this.#world.clock.startTimer(ms, () => this.#whenAwake(callback)),
  };

  readonly #transport: Transport = {
    send: async (request) => {
      await new Promise<void>((resolve) => this.#whenAwake(resolve));
      const isLost = this.lose.count > 0;
      if (isLost) this.lose.count -= 1;
      if (isLost && this.lose.way === "request") return new Promise<never>(() => {});
      const response = this.#world.server.handle(request);
      if (isLost) return new Promise<never>(() => {});
      await new Promise<void>((resolve) => this.#whenAwake(resolve));
      return response;
    },
    stream: () => new Promise<never>(() => {}),
    close: async () => {},
  };

  /** Whether it would reconcile a key if it continued now. */
  worksOn(key: string): boolean {
    if (this.#dead) return false;
    const turn = this.sharding.ownership.enter(key);
    turn?.end();
    return turn !== undefined;
  }

  get alive(): boolean {
    return !this.#dead && this.left === undefined && !this.election.leadership.lost.aborted;
  }

  pause(): void {
    this.#paused ??= [];
  }

  async resume(): Promise<void> {
    if (this.#dead) return;
    const waiting = this.#paused ?? [];
    this.#paused = undefined;
    for (const callback of waiting) {
      callback();
      await turns();
    }
  }

  kill(): void {
    this.#dead = true;
    this.pause();
  }

  leave(): void {
    this.left ??= this.sharding.release().then(() => this.election.release());
  }

  /** Stops everything that the test left running. */
  async end(): Promise<void> {
    this.#dead = false;
    await this.resume();
    await Promise.all([this.sharding.abandon(), this.election.abandon()]);
  }

  #whenAwake(callback: () => void): void {
    if (this.#paused === undefined) callback();
    else this.#paused.push(callback);
  }
}

class World {
  readonly clock = new FakeClock();
  readonly server = new LeaseServer();
  readonly replicas: Replica[] = [];
  readonly keys = Array.from({ length: 12 }, (_, index) => `default/object-${index}`);

  async join(): Promise<Replica> {
    const replica = await Replica.start(this, `replica-${this.replicas.length}`);
    this.replicas.push(replica);
    await turns();
    return replica;
  }

  owners(key: string): string[] {
    return this.replicas.filter((replica) => replica.worksOn(key)).map(({ identity }) => identity);
  }

  /** Advances time from timer to timer, and checks after each. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.clock.monotonic() + ms;
    for (;;) {
      for (const key of this.keys) expect(this.owners(key).length).toBeLessThanOrEqual(1);
      const nextMs = this.clock.nextTimerInMs;
      if (nextMs === undefined || this.clock.monotonic() + nextMs > untilMs) break;
      this.clock.advance(nextMs);
      await turns();
    }
    this.clock.advance(untilMs - this.clock.monotonic());
    await turns();
  }

  /** Every live process has an even share, and every key has an owner. */
  expectShared(): void {
    const alive = this.replicas.filter((replica) => replica.alive);
    if (alive.length === 0) return;
    for (const key of this.keys) expect(this.owners(key)).toHaveLength(1);
    for (const { sharding } of alive) expect(sharding.ownedShards).toBeLessThanOrEqual(Math.ceil(4 / alive.length));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = Promise.all(this.replicas.map((replica) => replica.end()));
    for (let round = 0; round < 30; round++) {
      this.clock.advance(1_000);
      await turns();
    }
    await ended;
  }
}

test("replicas own the shards evenly; a new replica gets its share within seconds, and released shards are acquired as fast", async () => {
  await using world = new World();
  const first = await world.join();
  await world.advance(3_000);
  expect(first.sharding.ownedShards).toBe(4);
  const second = await world.join();
  await world.advance(10_000);
  world.expectShared();
  expect(second.sharding.ownedShards).toBe(2);
  second.leave();
  await world.advance(5_000);
  expect(first.sharding.ownedShards).toBe(4);
  await world.advance(5_000);
  const names = [...world.server.leases.keys()].filter((name) => name.includes("member"));
  expect(names).toHaveLength(1);
});

test("shards of a killed replica are free after its lease expires, and its lease is deleted later", async () => {
  await using world = new World();
  const first = await world.join();
  const second = await world.join();
  await world.advance(10_000);
  expect(second.sharding.ownedShards).toBe(2);
  second.kill();
  await world.advance(9_000);
  expect(first.sharding.ownedShards).toBe(2);
  await world.advance(12_000);
  expect(first.sharding.ownedShards).toBe(4);
  await world.advance(150_000);
  expect([...world.server.leases.keys()].filter((name) => name.includes("member"))).toHaveLength(1);
});

test("a shard moves after its reconciles have finished; slow ones are aborted first, and the release waits for a margin", async () => {
  await using world = new World();
  const first = await world.join();
  await world.advance(3_000);
  const running = world.keys.map((key) => first.sharding.ownership.enter(key));
  const second = await world.join();
  await world.advance(10_000);
  expect(second.sharding.ownedShards).toBe(0);
  expect(running.some((turn) => turn?.signal.aborted)).toBe(false);
  await world.advance(10_000);
  expect(running.some((turn) => turn?.signal.aborted)).toBe(true);
  expect(second.sharding.ownedShards).toBe(0);
  for (const turn of running) turn?.end();
  await world.advance(4_000);
  expect(second.sharding.ownedShards).toBe(0);
  await world.advance(5_000);
  expect(second.sharding.ownedShards).toBe(2);
});

test("the number of shards that was stored first applies to all replicas", async () => {
  await using world = new World();
  await world.join();
  await world.advance(3_000);
  const lease = world.server.leases.get("test-shards");
  expect(lease?.metadata).toMatchObject({ annotations: { "kubewright-shards": "4" } });
  await expect(shardingSettings({ namespace: "default", shards: 0 }, "test")).rejects.toThrow('"shards" must be');
});

const step = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ op: "join" as const }) },
  fc.record({
    op: fc.constantFrom("leave" as const, "kill" as const, "pause" as const, "resume" as const),
    who: fc.nat(5),
  }),
  fc.record({
    op: fc.constant("lose" as const),
    who: fc.nat(5),
    count: fc.nat(3),
    way: fc.constantFrom("request" as const, "response" as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("advance" as const), ms: fc.constantFrom(500, 2_500, 9_000, 16_000) }),
  },
);

test("under any starts, stops, pauses and lost requests no key has two owners, and each has one again within bounded time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await using world = new World();
      await world.join();
      await world.join();
      await world.advance(10_000);
      for (const action of steps) {
        const who = "who" in action ? world.replicas[action.who % world.replicas.length] : undefined;
        if (action.op === "join" && world.replicas.length < 6) await world.join();
        else if (action.op === "advance") await world.advance(action.ms);
        else if (action.op === "lose" && who) who.lose = { ...action };
        else if (action.op === "leave") who?.leave();
        else if (action.op === "kill") who?.kill();
        else if (action.op === "pause") who?.pause();
        else if (action.op === "resume") await who?.resume();
      }
      for (const replica of world.replicas) {
        replica.lose.count = 0;
        await replica.resume();
      }
      // Lease expiry, the rounds that detect it, and one request that times out.
      await world.advance(30_000);
      world.expectShared();
    }),
    { numRuns: 20 },
  );
});

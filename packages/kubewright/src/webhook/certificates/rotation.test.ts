import type { Clock } from "@kubewright/core/clock";
import { ApiError } from "@kubewright/core/errors";
import { silentLogger } from "@kubewright/core/log";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CertificateState, IssuedCertificate, TrustedAuthority } from "./certificate-state.js";
import type { CertificateStore, StoredTarget, VersionedState } from "./certificate-store.js";
import type { RotationPolicy } from "./next-step.js";
import { Rotation } from "./rotation.js";

const minute = 60_000;
const lifetimeMs = 90 * minute;
const policy: RotationPolicy = {
  names: ["hooks.svc"],
  renewBeforeMs: 30 * minute,
  clockSkewMs: 5 * minute,
  propagationMs: minute,
};
const replicaCount = 3;
const targetNames = ["validating", "mutating", "crd"];

/** A published bundle and since when it is. */
interface Published {
  readonly bundle: string;
  readonly sinceMs: number;
}

/** The shared objects, and true time. Each request of a replica waits for its turn, and can be lost by a crash before or after it takes effect. */
class World {
  nowMs = Date.UTC(2030, 0, 1);
  #version = 1;
  #issued = 0;
  #secret: VersionedState | undefined;
  readonly #authorities = new Map<string, TrustedAuthority>();
  /** The CAs of all certificates that replicas have served. */
  readonly servedAuthorities = new Set<string>();
  readonly targets = new Map(targetNames.map((name) => [name, { version: "0", history: [] as Published[] }]));

  deleteSecret(): void {
    this.#secret = undefined;
  }

  corruptSecret(): void {
    if (this.#secret === undefined) return;
    const state = { authorities: this.#secret.state.authorities.slice(1) };
    this.#secret = { state, problems: ["garbage"], version: `${this.#version++}` };
  }

  issue(nowMs: number): { certificate: IssuedCertificate; authority: TrustedAuthority } {
    const id = `<ca-${this.#issued++}>`;
    const notAfterMs = nowMs + lifetimeMs;
    const authority = { id, certificate: id, notAfterMs };
    this.#authorities.set(id, authority);
    const certificate = {
      certificate: `leaf of ${id}`,
      privateKey: "",
      authority: id,
      names: policy.names,
      notAfterMs,
    };
    return { certificate, authority };
  }

  storeOf(turn: () => Promise<void>): CertificateStore {
    return {
      readTargets: async () => {
        const read: StoredTarget[] = [];
        for (const [name, target] of this.targets) {
          await turn();
          const bundle = target.history.at(-1)?.bundle ?? "";
          read.push({ id: name, bundles: [bundle], version: target.version, authorities: this.authoritiesOf(bundle) });
        }
        return read;
      },
      readState: async () => {
        await turn();
        return this.#secret;
      },
      writeState: async (state, read) => {
        await turn();
        if (read?.version !== this.#secret?.version) throw conflict();
        this.#secret = { state: inspected(state), problems: [], version: `${this.#version++}` };
      },
      publish: async ({ id, version }, bundle) => {
        await turn();
        const target = this.targets.get(id);
        if (target?.version !== version) throw conflict();
        target.history.push({ bundle, sinceMs: this.nowMs });
        target.version = `${this.#version++}`;
      },
    };
  }

  authoritiesOf(bundle: string): TrustedAuthority[] {
    return (bundle.match(/<ca-\d+>/g) ?? []).map((id) => {
      const authority = this.#authorities.get(id);
      if (authority === undefined) throw new Error(`${id} was never issued`);
      return authority;
    });
  }

  /** Why an API server, which may see what was published up to `propagationMs` ago, cannot verify a served certificate. */
  whyRejected({ authority, notAfterMs }: IssuedCertificate): string | undefined {
    if (this.nowMs > notAfterMs) return undefined;
    for (const [name, { history }] of this.targets) {
      for (let at = history.length - 1; at >= 0; at--) {
        const bundle = history[at]?.bundle ?? "";
        if (this.nowMs - (history[at + 1]?.sinceMs ?? this.nowMs) >= policy.propagationMs) break;
        if (bundle.includes(authority)) continue;
        // Where all CAs have expired, or signed nothing that was ever served (the Secret was lost before the first certificate became current), nothing
        // could be verified before either.
        const isUseless = ({ id, notAfterMs }: TrustedAuthority): boolean =>
          notAfterMs < this.nowMs || !this.servedAuthorities.has(id);
        if (this.authoritiesOf(bundle).every(isUseless)) continue;
        return `${name} has ${bundle} without ${authority}`;
      }
    }
    return undefined;
  }
}

/** What `decodeState` would report. */
function inspected(state: CertificateState): CertificateState {
  for (const pair of [state.current, state.next])
    if (pair !== undefined) expect(state.authorities.map(({ id }) => id)).toContain(pair.authority);
  return state;
}

function conflict(): ApiError {
  return new ApiError(409, "Conflict", {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "",
    reason: "Conflict",
    code: 409,
  });
}

/** One replica with a clock that is wrong by `skewMs`. */
class Replica {
  readonly #world: World;
  readonly #clock: Clock;
  rotation: Rotation;
  /** Lets the pending request proceed. */
  #proceed: (() => void) | undefined;
  #isRunning = false;
  #life = 0;
  /** When it looks again. */
  wakeMs = 0;

  constructor(world: World, skewMs: number) {
    this.#world = world;
    this.#clock = {
      now: () => world.nowMs + skewMs,
      monotonic: () => world.nowMs,
      startTimer: () => ({ cancel: () => {} }),
    };
    this.rotation = this.#start();
  }

  get isIdle(): boolean {
    return !this.#isRunning;
  }

  #start(): Rotation {
    const life = ++this.#life;
    const turn = (): Promise<void> =>
      new Promise((resolve) => {
        // The requests of a crashed replica get no turn.
        if (life === this.#life) this.#proceed = resolve;
      });
    this.wakeMs = 0;
    this.#isRunning = false;
    this.#proceed = undefined;
    return new Rotation({
      store: this.#world.storeOf(turn),
      clock: this.#clock,
      policy,
      logger: silentLogger,
      issue: (_, nowMs) => this.#world.issue(nowMs),
      serve: () => {},
    });
  }

  /** Loses everything in memory. With `late`, its pending request takes effect nevertheless. */
  crash(late: boolean): void {
    const pending = this.#proceed;
    this.rotation = this.#start();
    if (late) pending?.();
  }

  /** One request. */
  async step(): Promise<void> {
    if (!this.#isRunning) {
      this.#isRunning = true;
      const life = this.#life;
      const { rotation } = this;
      rotation.run(new AbortController().signal).then(
        (forMs) => this.#ended(life, forMs),
        () => this.#ended(life, 1_000),
      );
    } else {
      const proceed = this.#proceed;
      this.#proceed = undefined;
      proceed?.();
    }
    for (let tick = 0; tick < 8; tick++) await Promise.resolve();
  }

  #ended(life: number, forMs: number): void {
    if (life !== this.#life) return;
    this.#isRunning = false;
    this.wakeMs = this.#world.nowMs + forMs;
  }
}

type Action =
  | { readonly kind: "step" | "steps"; readonly replica: number; readonly count: number }
  | { readonly kind: "crash"; readonly replica: number; readonly late: boolean }
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "delete" | "corrupt" };

const replicaIndex = fc.nat({ max: replicaCount - 1 });
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant("step" as const), replica: replicaIndex, count: fc.constant(1) }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("steps" as const),
      replica: replicaIndex,
      count: fc.integer({ min: 2, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("crash" as const), replica: replicaIndex, late: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 3 * minute }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 40 * minute }) }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Action>({ kind: "delete" }, { kind: "corrupt" }) },
);
const createdMeanwhile: Action[] = [
  { kind: "steps", replica: 2, count: 8 },
  { kind: "steps", replica: 0, count: 25 },
  { kind: "delete" },
  { kind: "step", replica: 2, count: 1 },
  { kind: "steps", replica: 0, count: 30 },
];
const skew = fc.integer({ min: -policy.clockSkewMs, max: policy.clockSkewMs });

test("whatever replicas do in which order, and wherever they crash, each served certificate verifies against every caBundle, and they come to rest with a valid one", async () => {
  let rotations = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(skew, skew, skew),
      fc.array(anyAction, { minLength: 60, maxLength: 250 }),
      async (skews, actions) => {
        const world = new World();
        const replicas = skews.map((skewMs) => new Replica(world, skewMs));
        const checked = (): void => {
          for (const { rotation } of replicas)
            if (rotation.served) world.servedAuthorities.add(rotation.served.authority);
          for (const { rotation } of replicas) {
            const why = rotation.served && world.whyRejected(rotation.served);
            if (why !== undefined) throw new Error(why);
          }
        };
        for (const action of actions) {
          switch (action.kind) {
            case "step":
            case "steps":
              for (let count = 0; count < action.count; count++) {
                await replicas[action.replica]?.step();
                checked();
              }
              break;
            case "crash":
              replicas[action.replica]?.crash(action.late);
              break;
            case "time":
              world.nowMs += action.ms;
              break;
            case "delete":
              world.deleteSecret();
              break;
            case "corrupt":
              world.corruptSecret();
              break;
            default:
              action satisfies never;
          }
          checked();
        }
        const endMs = world.nowMs + lifetimeMs;
        while (world.nowMs < endMs) {
          let steps = 0;
          for (const replica of replicas)
            while (!replica.isIdle || replica.wakeMs <= world.nowMs) {
              await replica.step();
              checked();
              if (++steps > 1_000) throw new Error("The replicas do not come to rest");
            }
          // Watches of what the others changed.
          for (const replica of replicas) {
            await replica.step();
            while (!replica.isIdle) await replica.step();
            checked();
          }
          world.nowMs = Math.min(endMs, ...replicas.map(({ wakeMs }) => Math.max(wakeMs, world.nowMs + 1)));
        }
        for (const { rotation } of replicas) {
          expect(rotation.isReady).toBe(true);
          expect(rotation.served?.notAfterMs).toBeGreaterThan(world.nowMs);
        }
        rotations += [...world.targets.values()].reduce((sum, { history }) => sum + history.length, 0);
      },
    ),
    {
      numRuns: 60,
      // A replica is about to create the Secret while another one creates it, serves its certificate, and the Secret is deleted.
      examples: [[[0, 0, 0], createdMeanwhile]],
    },
  );
  // The property is not vacuous.
  expect(rotations).toBeGreaterThan(500);
});

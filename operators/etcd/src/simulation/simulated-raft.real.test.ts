/** The same changes of members on a real etcd and on simulated members: both accept and reject the same ones, for the same reasons. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { EtcdError } from "../members/etcd-members.js";
import { GatewayMembers } from "../members/gateway-members.js";
import { etcdPrograms } from "../testing/etcd-processes.js";
import { freePorts } from "../testing/free-ports.js";
import { type MemberData, type MemberProcess, SimulatedRaft } from "./simulated-raft.js";

const options = { signal: new AbortController().signal };
const version = "3.6.16";
const programs = etcdPrograms(version);
if (programs === undefined)
  process.stderr.write(
    `SKIPPED: simulated members and a real etcd. Missing: etcd ${version}, "npm run etcd:images -- etcd"\n`,
  );

/** Members `a`, `b` and `c`; requests go to `a`. */
interface Members extends AsyncDisposable {
  start(name: string): Promise<void>;
  kill(name: string): Promise<void>;
  add(name: string): Promise<void>;
  promote(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  moveLeader(to: string): Promise<void>;
  wait(ms: number): Promise<void>;
}

const names = ["a", "b", "c"] as const;

async function realMembers(folder: string): Promise<Members> {
  const ports = await freePorts(6);
  const url = (name: string, peer: boolean): string =>
    `http://127.0.0.1:${ports[names.indexOf(name as "a") * 2 + Number(peer)]}`;
  const gateway = new GatewayMembers();
  const a = { url: url("a", false) };
  const running = new Map<string, ChildProcess>();
  const ids = new Map<string, string>();
  const kill = async (name: string): Promise<void> => {
    const child = running.get(name);
    running.delete(name);
    // A removed member has exited by itself.
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    kill,
    wait: (ms) => sleep(ms),
    start: async (name) => {
      const known =
        name === "a" && ids.size === 0
          ? []
          : await gateway.list(a, { ...options, linearizable: false }).catch(() => []);
      const peers = known.map(({ name: other, peerURLs }) => `${other === "" ? name : other}=${peerURLs[0]}`);
      const flags = {
        name,
        "data-dir": join(folder, name),
        "listen-client-urls": url(name, false),
        "advertise-client-urls": url(name, false),
        "listen-peer-urls": url(name, true),
        "initial-advertise-peer-urls": url(name, true),
        "initial-cluster": peers.length === 0 ? `${name}=${url(name, true)}` : peers.join(","),
        "initial-cluster-state": peers.length === 0 ? "new" : "existing",
        "log-level": "error",
      };
      const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
      running.set(name, spawn(join(programs ?? "", "etcd"), [...args, "--unsafe-no-fsync"], { stdio: "ignore" }));
      for (let attempt = 0; attempt < 100; attempt++) {
        const status = await gateway.status({ url: url(name, false) }, options).catch(() => undefined);
        if (status?.leaderId !== undefined) {
          ids.set(name, status.memberId);
          return;
        }
        await sleep(100);
      }
      throw new Error(`Member ${name} does not serve`);
    },
    add: async (name) => void ids.set(name, (await gateway.addLearner(a, url(name, true), options)).id),
    promote: (name) => gateway.promote(a, ids.get(name) ?? "1", options),
    remove: (name) => gateway.remove(a, ids.get(name) ?? "1", options),
    moveLeader: (to) => gateway.moveLeader(a, ids.get(to) ?? "1", options),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      for (const name of names) await kill(name);
    },
  };
}

function simulatedMembers(): Members {
  const raft = new SimulatedRaft("test");
  const data = new Map<string, MemberData>();
  const ids = new Map<string, string>();
  let running: readonly MemberProcess[] = [];
  let nowMs = 0;
  const url = (name: string): string => `http://${name}:2380`;
  const tick = (): void => raft.tick(running, nowMs);
  const self = (): string => ids.get("a") ?? "";
  const act = async (change: () => void): Promise<void> => {
    tick();
    change();
  };
  return {
    wait: async (ms) => {
      nowMs += ms;
      tick();
    },
    start: async (name) => {
      const peers = raft.members.flatMap(({ peerURLs }) => peerURLs);
      const own =
        data.get(name) ?? (peers.length === 0 ? raft.bootstrap(name, url(name)) : raft.join(url(name), peers));
      data.set(name, own);
      ids.set(name, own.memberId);
      running = [...running, { data: own, name, version, startedMs: nowMs, quota: 2_147_483_648 }];
      tick();
    },
    kill: async (name) => {
      running = running.filter((one) => one.name !== name);
      tick();
    },
    add: (name) => act(() => void ids.set(name, raft.addLearner(url(name), self()).id)),
    promote: (name) => act(() => raft.promote(ids.get(name) ?? "1")),
    remove: (name) => act(() => raft.remove(ids.get(name) ?? "1", self())),
    moveLeader: (to) => act(() => raft.moveLeader(self(), ids.get(to) ?? "1")),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Makes one change after the other, and returns what became of each. */
async function outcomes(members: Members): Promise<readonly string[]> {
  const seen: string[] = [];
  const attempt = async (what: string, change: Promise<void>): Promise<void> => {
    const outcome = await change.then(
      () => "accepted",
      (error: unknown) => (error instanceof EtcdError ? error.reason : String(error)),
    );
    seen.push(`${what}: ${outcome}`);
  };
  await members.start("a");
  await attempt("remove the only member", members.remove("a"));
  await attempt("promote a voter", members.promote("a"));
  await attempt("add b to a new cluster of one", members.add("b"));
  await attempt("add a second learner", members.add("c"));
  await attempt("promote b before it has started", members.promote("b"));
  await members.start("b");
  await members.wait(3_000);
  await attempt("promote b when it has caught up", members.promote("b"));
  await attempt("add c while b is connected for less than five seconds", members.add("c"));
  await members.wait(6_000);
  await attempt("add c", members.add("c"));
  await attempt("remove c before it has started", members.remove("c"));
  await attempt("remove c again", members.remove("c"));
  await attempt("hand the leadership to b", members.moveLeader("b"));
  await members.wait(2_000);
  await attempt("hand it over as no leader", members.moveLeader("b"));
  await members.kill("b");
  await members.wait(3_000);
  await attempt("add c without a quorum", members.add("c"));
  await attempt("remove b without a quorum", members.remove("b"));
  await members.start("b");
  await members.wait(6_000);
  await attempt("remove b, one of two healthy voters", members.remove("b"));
  return seen;
}

describe.skipIf(programs === undefined)("changes of members", () => {
  test("are accepted and rejected by simulated members as by a real etcd", async () => {
    const folder = mkdtempSync(join(tmpdir(), "etcd-"));
    try {
      await using real = await realMembers(folder);
      await using simulated = simulatedMembers();
      const expected = await outcomes(real);
      expect(await outcomes(simulated)).toEqual(expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

/** The load and the check of its history on a real etcd, whose members crash. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { EtcdProcesses, etcdPrograms } from "../testing/etcd-processes.js";
import { checkHistory } from "./check-history.js";
import { recordLoad } from "./etcd-load.js";

const version = "3.6.16";
const programs = etcdPrograms(version);
if (programs === undefined)
  process.stderr.write(`SKIPPED: histories of a real etcd. Missing: etcd ${version}, "npm run etcd:images -- etcd"\n`);

describe.skipIf(programs === undefined)("three members of which one after the other crashes", () => {
  test("no acknowledged write is lost, and every operation ends", async () => {
    await using etcd = await EtcdProcesses.prepare(programs ?? "", 3);
    await etcd.startAll();
    const ended = new AbortController();
    const load = recordLoad({
      endpoints: etcd.clientUrls,
      signal: ended.signal,
      keys: 5,
      operationTimeoutMs: 2_000,
      operationsPerSecond: 400,
    });
    for (const index of [0, 1, 2]) {
      await sleep(1_500);
      await etcd.kill(index);
      await sleep(1_000);
      await etcd.start(index);
    }
    await sleep(1_000);
    ended.abort();
    const { history, counts } = await load;
    process.stderr.write(`${counts.completed} completed, ${counts.unknown} unknown, ${counts.failed} failed\n`);
    expect(checkHistory(history)).toEqual({ kind: "linearizable" });
    expect(counts.completed).toBeGreaterThan(500);
    expect(counts.unknown + counts.failed).toBeGreaterThan(0);
  });
});

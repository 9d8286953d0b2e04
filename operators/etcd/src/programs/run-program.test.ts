import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backupPodVariable } from "../backup/backup-pod.js";
import type { EtcdConnection, EtcdMembers } from "../members/etcd-members.js";
import { runProgram } from "./run-program.js";

const database = Buffer.alloc(1_024, "data");
const snapshot = Buffer.concat([database, createHash("sha256").update(database).digest()]);
const { signal } = new AbortController();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "etcd-program-"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const connections: EtcdConnection[] = [];
const etcd = {
  status: async (connection: EtcdConnection) => {
    connections.push(connection);
    return { version: "3.6.16", revision: 9n };
  },
  snapshot: async function* () {
    yield snapshot;
  },
} as unknown as EtcdMembers;

/** Runs a program, and returns its exit code and its termination message. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const log = join(folder, "termination-log");
  const exitCode = await runProgram(args, { etcd, environment: { TERMINATION_LOG: log, ...environment }, signal });
  return { exitCode, message: existsSync(log) ? readFileSync(log, "utf8") : "" };
}

test("arguments that name no program are those of the operator", async () => {
  expect(await run(["--cluster-wide"])).toEqual({ exitCode: undefined, message: "" });
});

test("save-snapshot stores a snapshot in the folder, deletes the oldest ones, and reports it", async () => {
  const tlsFolder = join(folder, "tls");
  const backups = join(folder, "backups");
  mkdirSync(tlsFolder);
  mkdirSync(join(backups, "shop"), { recursive: true });
  for (const file of ["etcd-client-ca.crt", "etcd-client.crt", "etcd-client.key"])
    writeFileSync(join(tlsFolder, file), file);
  writeFileSync(join(backups, "shop", "etcd_v1_2026-11-18-00:00:00"), "old");
  const request = {
    endpoints: ["https://shop-client:2379"],
    folder: backups,
    path: "shop/etcd",
    date: "2026-11-19T22:41:07.000Z",
    maxBackups: 1,
    timeoutSeconds: 60,
    tlsFolder,
  };
  const { exitCode, message } = await run(["save-snapshot"], { [backupPodVariable]: JSON.stringify(request) });
  const name = "shop/etcd_v9_2026-11-19-22:41:07";
  expect(JSON.parse(message)).toEqual({ name, revision: "9", etcdVersion: "3.6.16", backups: [name] });
  expect(exitCode).toBe(0);
  expect(readdirSync(join(backups, "shop"))).toEqual(["etcd_v9_2026-11-19-22:41:07"]);
  expect(readFileSync(join(backups, name))).toEqual(snapshot);
  expect(connections.at(-1)).toMatchObject({
    url: "https://shop-client:2379",
    credentials: { ca: "etcd-client-ca.crt", key: "etcd-client.key" },
  });
});

test("a program that fails exits with 1, and its error is the termination message", async () => {
  expect(await run(["fetch-snapshot"])).toEqual({ exitCode: 1, message: "Usage: fetch-snapshot FROM FILE FOLDER" });
});

test("fetch-snapshot takes the newest snapshot of a path in a volume, and removes what a crash has left", async () => {
  const [from, file, restored] = [join(folder, "volume"), join(folder, "snapshot.db"), join(folder, "restored")];
  mkdirSync(from);
  mkdirSync(restored);
  writeFileSync(join(from, "shop_v9_2026-11-19-22:41:07"), snapshot);
  writeFileSync(join(from, "shop_v10_2026-11-18-22:41:07"), "older");
  const { exitCode, message } = await run(["fetch-snapshot", join(from, "shop"), file, restored]);
  expect([exitCode, message]).toEqual([0, "Fetched shop_v9_2026-11-19-22:41:07"]);
  expect(readFileSync(file)).toEqual(snapshot);
  expect(existsSync(restored)).toBe(false);
});

test("fetch-snapshot rejects a damaged snapshot, and leaves no file", async () => {
  const file = join(folder, "snapshot.db");
  writeFileSync(join(folder, "damaged"), Buffer.alloc(snapshot.length));
  const { exitCode, message } = await run(["fetch-snapshot", join(folder, "damaged"), file, join(folder, "restored")]);
  expect([exitCode, message]).toEqual([1, "The snapshot is damaged: its SHA-256 does not match"]);
  expect(existsSync(file)).toBe(false);
});

test("fetch-snapshot downloads with a token", async () => {
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === "Bearer right";
    response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? snapshot : "wrong token");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/backup/default/shop`;
  const file = join(folder, "snapshot.db");
  const args = ["fetch-snapshot", url, file, join(folder, "restored")];
  expect(await run(args, { SNAPSHOT_TOKEN: "wrong" })).toEqual({
    exitCode: 1,
    message: `GET ${url}: HTTP 401: wrong token`,
  });
  expect(await run(args, { SNAPSHOT_TOKEN: "right" })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(file)).toEqual(snapshot);
  server.close();
  server.closeAllConnections();
});

test("adopt-data moves the restored folder, and keeps one that exists", async () => {
  const [from, to, file] = [join(folder, "restored"), join(folder, "data"), join(folder, "snapshot.db")];
  for (const content of ["first", "second"]) {
    mkdirSync(from);
    writeFileSync(join(from, "member"), content);
    writeFileSync(file, snapshot);
    expect(await run(["adopt-data", from, to, file])).toMatchObject({ exitCode: 0 });
    expect([existsSync(from), existsSync(file)]).toEqual([false, false]);
  }
  expect(readFileSync(join(to, "member"), "utf8")).toBe("first");
});

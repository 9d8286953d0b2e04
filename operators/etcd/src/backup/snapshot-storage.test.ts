import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { folderStorage } from "./folder-storage.js";
import { type S3StorageOptions, s3Storage } from "./s3-storage.js";
import type { SnapshotStorage } from "./snapshot-storage.js";
import { S3Server, type S3ServerOptions } from "./testing/s3-server.js";

const credentials = { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example/secret+key" };
const { signal } = new AbortController();
const servers: S3Server[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function startServer(options: Partial<S3ServerOptions> = {}): Promise<S3Server> {
  const server = await S3Server.start({ credentials, buckets: ["backups"], ...options });
  servers.push(server);
  return server;
}

/** A storage in the bucket "backups" of a server. */
function storageAt(server: S3Server, options: Partial<S3StorageOptions> = {}): SnapshotStorage {
  const common = { bucket: "backups", region: "us-east-1", credentials, forcePathStyle: true, retryDelayMs: 0 };
  return s3Storage({ ...common, endpoint: server.url, ...options });
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "etcd-backup-"));
  folders.push(folder);
  return folder;
}

async function* chunks(...contents: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield Buffer.from(content);
}

async function* failingAfter(...contents: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  yield* chunks(...contents);
  throw new Error("the member was stopped");
}

async function read(storage: SnapshotStorage, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of storage.read(name, signal)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe.each([
  ["S3", async (): Promise<SnapshotStorage> => storageAt(await startServer({ pageSize: 2 }))],
  ["a folder", async (): Promise<SnapshotStorage> => folderStorage(newFolder())],
])("a storage in %s", (_, start) => {
  test("returns what was saved, and lists it by prefix", async () => {
    const storage = await start();
    const names = ["team a/shop_v5_2026-11-19-22:41:07", "team a/shop_v6_2026-11-19-22:42:07", "team a/other", "x+y&z"];
    for (const name of names) await storage.save(name, chunks("content of ", name), signal);
    expect([...(await storage.list("team a/shop", signal))].sort()).toEqual(names.slice(0, 2));
    expect([...(await storage.list("", signal))].sort()).toEqual([...names].sort());
    for (const name of names) expect(await read(storage, name)).toBe(`content of ${name}`);
  });

  test("replaces a snapshot of the same name, and holds an empty one", async () => {
    const storage = await start();
    await storage.save("shop", chunks("one"), signal);
    await storage.save("shop", chunks(), signal);
    expect(await read(storage, "shop")).toBe("");
  });

  test("deletes a snapshot, also an absent one", async () => {
    const storage = await start();
    await storage.save("shop", chunks("one"), signal);
    await storage.delete("shop", signal);
    await storage.delete("shop", signal);
    expect(await storage.list("", signal)).toEqual([]);
  });

  test("stores nothing of a content that fails", async () => {
    const storage = await start();
    await expect(storage.save("shop", failingAfter("half of it"), signal)).rejects.toThrow("the member was stopped");
    expect(await storage.list("", signal)).toEqual([]);
  });

  test("rejects the read of an absent snapshot", async () => {
    await expect(read(await start(), "absent")).rejects.toMatchObject({ reason: "notFound" });
  });
});

describe("a storage in S3", () => {
  const partBytes = 1_000;
  const content = Buffer.from(Array.from({ length: 2_500 }, (_, index) => index % 251));

  test("uploads large content in parts, of which one at a time is read", async () => {
    const server = await startServer({ minPartBytes: partBytes });
    let isAhead = false;
    async function* slices(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < content.length; at += 300) {
        const parts = [...server.uploads.values()][0]?.size ?? 0;
        isAhead ||= at >= (parts + 2) * partBytes;
        yield content.subarray(at, at + 300);
      }
    }
    await storageAt(server, { partBytes }).save("shop", slices(), signal);
    expect(server.objects.get("backups/shop")).toEqual(content);
    expect(server.requests.filter((request) => request.includes("partNumber"))).toHaveLength(3);
    expect(isAhead).toBe(false);
    expect(server.uploads.size).toBe(0);
  });

  test("aborts an upload whose content fails", async () => {
    const server = await startServer({ minPartBytes: partBytes });
    const saved = storageAt(server, { partBytes }).save("shop", failingAfter(content), signal);
    await expect(saved).rejects.toThrow("the member was stopped");
    expect(server.requests.some((request) => request.startsWith("DELETE"))).toBe(true);
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test("aborts an upload when the signal aborts", async () => {
    const server = await startServer({ minPartBytes: partBytes });
    const timeout = new AbortController();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield content;
      timeout.abort(new Error("60 s have passed"));
      yield content;
    }
    await expect(storageAt(server, { partBytes }).save("shop", slow(), timeout.signal)).rejects.toThrow(
      "60 s have passed",
    );
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test("repeats a request that failed for a reason that may pass", async () => {
    const faults = ["disconnect", { status: 503, code: "SlowDown" }, { status: 500, code: "InternalError" }] as const;
    let count = 0;
    const server = await startServer({ fault: () => faults[count++] });
    await storageAt(server).save("shop", chunks("content"), signal);
    expect(server.requests).toHaveLength(4);
    expect(server.objects.get("backups/shop")?.toString()).toBe("content");
  });

  test("gives a request up after four attempts", async () => {
    const server = await startServer({ fault: () => ({ status: 503, code: "SlowDown" }) });
    await expect(storageAt(server).list("", signal)).rejects.toMatchObject({ reason: "unavailable" });
    expect(server.requests).toHaveLength(4);
  });

  test.each([
    ["credentials", "The access key is not accepted", { credentials: { ...credentials, secretAccessKey: "wrong" } }],
    ["credentials", "InvalidAccessKeyId", { credentials: { ...credentials, accessKeyId: "UNKNOWN" } }],
    ["bucketMissing", "The bucket does not exist: PUT other/shop at http://127.0.0.1", { bucket: "other" }],
    ["region", "The bucket is in another region", { region: "eu-west-1" }],
    ["unavailable", "Cannot reach http://127.0.0.1:1", { endpoint: "http://127.0.0.1:1" }],
    ["other", "set forcePathStyle", { forcePathStyle: false }],
    ["bucketMissing", '"a/b" is not the name of a bucket', { bucket: "a/b" }],
    ["other", 'The endpoint "ftp://x" is not an http or https URL', { endpoint: "ftp://x" }],
  ])("says what is wrong: %s, %s", async (reason, message, options) => {
    const server = await startServer();
    const save = async (): Promise<void> => storageAt(server, options).save("shop", chunks("content"), signal);
    await expect(save()).rejects.toMatchObject({ reason, message: expect.stringContaining(message) });
  });

  test("sends the token of temporary credentials", async () => {
    const temporary = { ...credentials, sessionToken: "example-token" };
    const server = await startServer({ credentials: temporary });
    await storageAt(server, { credentials: temporary }).save("shop", chunks("content"), signal);
    await expect(storageAt(server).list("", signal)).rejects.toMatchObject({ reason: "credentials" });
  });

  test("finds an error in a response of 200", async () => {
    const server = await startServer({ fault: () => ({ status: 200, code: "AccessDenied" }) });
    await expect(storageAt(server).delete("shop", signal)).rejects.toMatchObject({ reason: "forbidden" });
  });

  test("has the bucket in the host name unless forcePathStyle is set", async () => {
    const urls: string[] = [];
    const network = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      urls.push(String(url));
      return new Response(null, { status: 204 });
    });
    const bucket = { bucket: "backups", region: "eu-west-1", credentials };
    for (const more of [
      {},
      { endpoint: "https://s3.example.com/root/" },
      { endpoint: "s3.example.com:9000", forcePathStyle: true },
    ])
      await s3Storage({ ...bucket, ...more }).delete("a/b", signal);
    network.mockRestore();
    expect(urls).toEqual([
      "https://backups.s3.eu-west-1.amazonaws.com/a/b",
      "https://backups.s3.example.com/root/a/b",
      "https://s3.example.com:9000/backups/a/b",
    ]);
  });
});

describe("a storage in a folder", () => {
  test.each(["../secret", "a//b", "/etc/passwd", "a/../../b", ".", ""])("rejects the name %j", async (name) => {
    await expect(folderStorage(newFolder()).save(name, chunks("x"), signal)).rejects.toThrow("is not a name");
  });

  test("leaves no unfinished file behind, and does not list one", async () => {
    const folder = newFolder();
    const storage = folderStorage(folder);
    let during: readonly string[] = ["not read"];
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("content");
      during = await storage.list("", signal);
    }
    await storage.save("shop", content(), signal);
    expect(during).toEqual([]);
    expect(readdirSync(folder)).toEqual(["shop"]);
    expect(readFileSync(join(folder, "shop"), "utf8")).toBe("content");
  });

  test("stops when the signal aborts", async () => {
    const timeout = new AbortController();
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("content");
      timeout.abort(new Error("60 s have passed"));
      yield Buffer.from("content");
    }
    const folder = newFolder();
    await expect(folderStorage(folder).save("shop", content(), timeout.signal)).rejects.toThrow("60 s have passed");
    expect(readdirSync(folder)).toEqual([]);
  });
});

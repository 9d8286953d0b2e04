import { FakeClock } from "@kubewright/core/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigMap } from "../../test/kinds.js";
import { ScriptedTransport, turns } from "../../test/scripted-transport.js";
import { createClient } from "../client/index.js";
import { CachedClient, InformerSet } from "./index.js";

interface Stored {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
  };
}

/** A minimal server: objects, one global resourceVersion, and watch events that are not delivered yet. */
class Server {
  version = 9;
  readonly objects = new Map<string, Stored>();
  /** The versions at which objects of a name were deleted. */
  readonly deletions: { readonly name: string; readonly version: number }[] = [];
  /** The last version that the watch delivered. */
  delivered = 9;
  readonly undelivered: { readonly type: string; readonly object: Stored }[] = [];

  write(name: string): Stored {
    const before = this.objects.get(name);
    this.version += 1;
    const uid = before?.metadata.uid ?? `uid-${this.version}`;
    const metadata = { name, namespace: "default", uid, resourceVersion: `${this.version}`, creationTimestamp: "" };
    const object: Stored = { apiVersion: "v1", kind: "ConfigMap", metadata };
    this.objects.set(name, object);
    this.undelivered.push({ type: before === undefined ? "ADDED" : "MODIFIED", object });
    return object;
  }

  delete(name: string): Stored | undefined {
    const before = this.objects.get(name);
    if (before === undefined) return undefined;
    this.version += 1;
    this.objects.delete(name);
    this.deletions.push({ name, version: this.version });
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: `${this.version}` } };
    this.undelivered.push({ type: "DELETED", object });
    return before;
  }
}

const name = fc.constantFrom("a", "b");
const step = fc.oneof(
  fc.record({ op: fc.constantFrom("write" as const, "delete" as const), own: fc.boolean(), name }),
  fc.record({ op: fc.constant("deliver" as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ op: fc.constant("relist" as const) }),
  // The watch event of an own write, and maybe of a later deletion by another client, may arrive before the response.
  fc.record({ op: fc.constant("overtaken" as const), name, deleted: fc.boolean() }),
);

const own = (op: "write" | "delete") => ({ op, own: true, name: "a" }) as const;
const others = (op: "write" | "delete") => ({ op, own: false, name: "a" }) as const;

test("a read never shows a state older than the client's last write, and eventually shows the server's state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const server = new Server();
      const transport = new ScriptedTransport(({ method, path }) => {
        if (method === "PATCH") return { body: server.write(path.split("/").at(-1) ?? "") };
        if (method === "DELETE") {
          server.delete(path.split("/").at(-1) ?? "");
          return { body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } };
        }
        server.undelivered.length = 0;
        server.delivered = server.version;
        return {
          body: {
            kind: "ConfigMapList",
            metadata: { resourceVersion: `${server.version}` },
            items: [...server.objects.values()],
          },
        };
      });
      const client = createClient(transport);
      const informers = new InformerSet({ client, clock: new FakeClock(), random: () => 0, streaming: false });
      const informer = informers.informer(ConfigMap);
      const cached = new CachedClient(client, informers);
      const abort = new AbortController();
      const running = informers.run(abort.signal);
      await turns();

      const deliver = async (count: number): Promise<void> => {
        for (const { type, object } of server.undelivered.splice(0, count)) {
          transport.lastWatch.send(type, object);
          server.delivered = Number(object.metadata.resourceVersion);
        }
        await turns();
      };
      const shown = (key: string) => informer.find({ namespace: "default", name: key })?.metadata;
      const lastOwn = new Map<string, { readonly version: number } | { readonly deletedUid: string }>();
      for (const action of steps) {
        if (action.op === "deliver") await deliver(action.count);
        else if (action.op === "overtaken") {
          const response = server.write(action.name);
          if (action.deleted) server.delete(action.name);
          await deliver(server.undelivered.length);
          informers.noteWrite(ConfigMap, response as never);
          lastOwn.set(action.name, { version: Number(response.metadata.resourceVersion) });
        } else if (action.op === "relist") {
          const expired = {
            kind: "Status",
            apiVersion: "v1",
            metadata: {},
            status: "Failure",
            code: 410,
            reason: "Expired",
          };
          transport.lastWatch.send("BOOKMARK", {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { resourceVersion: `${server.delivered}` },
          });
          transport.lastWatch.send("ERROR", expired);
          await turns();
        } else if (!action.own) server[action.op](action.name);
        else if (action.op === "write") {
          await cached.patch(ConfigMap, action.name, { merge: {} });
          lastOwn.set(action.name, { version: server.version });
        } else {
          // As a reconcile does: deletes the object that it read.
          const uid = shown(action.name)?.uid;
          if (uid === undefined || server.objects.get(action.name)?.metadata.uid !== uid) continue;
          await cached.delete(ConfigMap, action.name, { preconditions: { uid } });
          lastOwn.set(action.name, { deletedUid: uid });
        }
        for (const [key, mine] of lastOwn) {
          const read = shown(key);
          if ("deletedUid" in mine) expect(read?.uid).not.toBe(mine.deletedUid);
          else if (read !== undefined) expect(Number(read.resourceVersion)).toBeGreaterThanOrEqual(mine.version);
          // Missing: it was deleted after the write, and the watch has delivered that.
          else {
            const delivered = server.deletions.some(
              (deletion) =>
                deletion.name === key && deletion.version > mine.version && deletion.version <= server.delivered,
            );
            expect(delivered).toBe(true);
          }
          const listed = informer.list("default").filter(({ metadata }) => metadata.name === key);
          expect(listed.map(({ metadata }) => metadata.resourceVersion)).toEqual(
            read === undefined ? [] : [read.resourceVersion],
          );
        }
      }
      await deliver(server.undelivered.length);
      for (const key of ["a", "b"])
        expect(shown(key)?.resourceVersion).toBe(server.objects.get(key)?.metadata.resourceVersion);
      abort.abort();
      await running;
    }),
    {
      numRuns: 500,
      examples: [
        // The delete by another client arrives late, after the object was recreated.
        [[own("write"), { op: "deliver", count: 1 }, others("delete"), own("write"), { op: "deliver", count: 1 }]],
        // The watch delivers a write and the object's deletion before the response of the write.
        [[{ op: "overtaken", name: "a", deleted: true }]],
        // A write by another client arrives late.
        [[others("write"), own("write"), { op: "deliver", count: 1 }]],
        // The deletion of an earlier object of the name arrives after the deletion of a later one was recorded.
        [
          [
            others("write"),
            { op: "relist" },
            others("delete"),
            own("write"),
            own("delete"),
            { op: "deliver", count: 2 },
          ],
        ],
      ],
    },
  );
});

/** A snapshot of a real etcd, restored by the steps of a member's Pod, run as processes. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folderStorage } from "../backup/folder-storage.js";
import { s3Storage } from "../backup/s3-storage.js";
import { takeSnapshot } from "../backup/take-snapshot.js";
import { S3Server } from "../backup/testing/s3-server.js";
import { GatewayMembers } from "../members/gateway-members.js";
import { runProgram } from "../programs/run-program.js";
import { EtcdProcesses, etcdPrograms } from "../testing/etcd-processes.js";
import { type RestoreData, restoreSteps } from "./restore-data.js";

const execute = promisify(execFile);
const { signal } = new AbortController();
const etcd = new GatewayMembers();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "etcd-restore-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

for (const version of ["3.5.35", "3.6.16"]) {
  const programs = etcdPrograms(version);
  if (programs === undefined)
    process.stderr.write(`SKIPPED: restore of etcd ${version}. Missing: "npm run etcd:images -- etcd"\n`);

  describe.skipIf(programs === undefined)(`etcd ${version}`, () => {
    /** Runs the init containers of a restored member, twice, as after a restart of its node. */
    async function runSteps(restored: EtcdProcesses): Promise<void> {
      const data: RestoreData = {
        restoreUid: "uid",
        image: "operator",
        source: { kind: "volume", claimName: "backups", path: "shop" },
      };
      const [peerURL = ""] = restored.peerUrls;
      const member = { name: "member0", peerURL, clusterToken: "token", etcdImage: "etcd", dataVolume: "etcd-data" };
      const place = (text: string): string =>
        text
          .replaceAll("/var/etcd/data", restored.dataFolder(0))
          .replaceAll("/var/etcd", folder)
          .replaceAll("/var/backup", join(folder, "backups"));
      for (const { command = [] } of [
        ...restoreSteps(data, member).initContainers,
        ...restoreSteps(data, member).initContainers,
      ]) {
        const [program = "", ...args] = command.map(place);
        if (program === "etcdutl") await execute(join(programs ?? "", "etcdutl"), args);
        else
          expect(await runProgram(args, { etcd, environment: { TERMINATION_LOG: join(folder, "log") }, signal })).toBe(
            0,
          );
      }
    }

    test("a cluster that is restored from its snapshot has the same data and revision", async () => {
      await using server = await S3Server.start({
        credentials: { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example" },
        buckets: ["backups"],
      });
      const storages = [
        folderStorage(join(folder, "backups")),
        s3Storage({
          bucket: "backups",
          region: "us-east-1",
          endpoint: server.url,
          forcePathStyle: true,
          credentials: { accessKeyId: "EXAMPLEKEY", secretAccessKey: "example" },
          partBytes: 5 * 1_048_576,
        }),
      ];
      mkdirSync(join(folder, "backups"));
      const before = await EtcdProcesses.prepare(programs ?? "", 1);
      await before.startAll();
      const [url = ""] = before.clientUrls;
      const value = "v".repeat(200_000);
      for (let index = 0; index < 40; index++) await etcd.put({ url }, `key${index}`, `${index}${value}`, { signal });
      const { revision } = await etcd.status({ url }, { signal });
      const names = [];
      for (const storage of storages) {
        const stored = await takeSnapshot({
          etcd,
          connections: [{ url }],
          storage,
          path: "shop",
          date: new Date(),
          maxBackups: 1,
          signal,
        });
        expect(stored).toMatchObject({ revision, etcdVersion: version });
        names.push(stored.name);
      }
      await before[Symbol.asyncDispose]();
      // Uploaded in parts, and the same bytes.
      const uploaded = server.objects.get(`backups/${names[1]}`);
      expect(server.requests.filter((request) => request.includes("partNumber")).length).toBeGreaterThan(1);
      expect(uploaded?.length).toBeGreaterThan(8_000_000);

      await using restored = await EtcdProcesses.prepare(programs ?? "", 1);
      await runSteps(restored);
      await restored.startAll();
      const [restoredUrl = ""] = restored.clientUrls;
      expect((await etcd.status({ url: restoredUrl }, { signal })).revision).toBe(revision);
      for (const index of [0, 17, 39])
        expect(await etcd.get({ url: restoredUrl }, `key${index}`, { signal })).toBe(`${index}${value}`);
    });
  });
}

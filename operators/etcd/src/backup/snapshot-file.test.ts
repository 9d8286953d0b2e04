import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { verifiedSnapshot } from "./snapshot-file.js";
import { snapshotName, snapshotsOf } from "./snapshot-names.js";

const database = Buffer.alloc(2_048, "page");
const file = Buffer.concat([database, createHash("sha256").update(database).digest()]);

async function pass(content: Buffer, chunkBytes: number): Promise<Buffer> {
  const slices = Array.from({ length: Math.ceil(content.length / chunkBytes) }, (_, index) =>
    content.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* slices;
  }
  const passed: Uint8Array[] = [];
  for await (const chunk of verifiedSnapshot(chunks())) passed.push(chunk);
  return Buffer.concat(passed);
}

test.each([1, 7, 31, 32, 33, 512, 2_079, 2_080, 5_000])("a snapshot passes in chunks of %i bytes", async (bytes) => {
  expect(await pass(file, bytes)).toEqual(file);
});

test.each([0, 1, 31, 512, 2_048, 2_079])("a snapshot that ends after %i bytes is rejected", async (bytes) => {
  await expect(pass(file.subarray(0, bytes), 100)).rejects.toThrow("not complete");
});

test.each([0, 1_000, 2_047, 2_048, 2_079])("a snapshot with another byte %i is rejected", async (index) => {
  const damaged = Buffer.from(file);
  damaged[index] = (damaged[index] ?? 0) ^ 1;
  await expect(pass(damaged, 100)).rejects.toThrow("damaged");
});

test("the name of a snapshot has its revision and time", () => {
  expect(snapshotName("shop", 42n, new Date("2026-11-19T22:41:07.900Z"))).toBe("shop_v42_2026-11-19-22:41:07");
});

test("snapshots are in the order of their time, then of their revision as a number", () => {
  const inOrder = [
    "shop_v100_2026-11-19-22:41:07",
    "shop_v9_2026-11-20-00:00:00", // after a restore the revision is lower
    "shop_v10_2026-11-20-00:00:00",
    "shop_v9223372036854775807_2026-11-21-00:00:00",
  ];
  expect(snapshotsOf("shop", inOrder.toReversed())).toEqual(inOrder);
});

test("other objects beside snapshots are left alone", () => {
  const others = [
    "shop",
    "shop_v1",
    "shop_v1_today",
    "shop_v1_2026-11-19-22:41:07.part",
    "shop-b_v1_2026-11-19-22:41:07",
  ];
  expect(snapshotsOf("shop", others)).toEqual([]);
  expect(snapshotsOf("shop-b", others)).toEqual(others.slice(-1));
});

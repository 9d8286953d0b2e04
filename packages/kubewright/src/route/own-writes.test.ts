import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import type { Change } from "../cache/index.js";
import type { AnyKind } from "../definition/index.js";
import { controller } from "../reconcile/index.js";
import { OwnWrites } from "./index.js";

const version = (resourceVersion: string): never =>
  ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion } }) as never;
const update = (old: string, next: string, listed = false): Change<AnyKind> => ({
  kind: "updated",
  old: version(old),
  new: version(next),
  listed,
});

test("a failing run that writes its status keeps its backoff; a change by another client cuts it short", async () => {
  let runs = 0;
  const failing = controller(Website, {
    reconcile: async ({ conditions, status }) => {
      runs += 1;
      status.availableReplicas = runs;
      conditions.set("Ready", { status: false, reason: "Progressing", message: `attempt ${runs}` });
      throw new Error("failed");
    },
    backoff: { first: "1s", max: "100s" },
  });
  await using running = await runController(failing, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(runs).toBe(1);
  await running.advance(1_000);
  expect(runs).toBe(2);
  await running.advance(1_999);
  expect(runs).toBe(2);
  await running.client.patchStatus(Website, "shop", { merge: { status: { url: "by another client" } } });
  await running.settle();
  expect(runs).toBe(3);
});

test("neither a status write, nor saveStatus, nor an added finalizer triggers a run", async () => {
  let runs = 0;
  const counting = controller(Website, {
    reconcile: async ({ status, saveStatus }) => {
      runs += 1;
      status.url = "saved";
      await saveStatus();
      status.availableReplicas = runs;
    },
    finalize: () => {},
  });
  await using running = await runController(counting, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(runs).toBe(1);
  expect(running.sent.filter((line) => line.startsWith("PATCH"))).toHaveLength(3);
});

test("a write of another controller of the same kind triggers a run", async () => {
  const own = new OwnWrites();
  const other = new OwnWrites();
  await own.track("a", version("1"), async () => version("2"));
  expect(other.takes("a", update("1", "2"), () => {})).toBe(false);
});

test("an echo is dropped, also when it arrives before the response", async () => {
  const routed: unknown[] = [];
  const writes = new OwnWrites();
  await writes.track("a", version("9"), async () => version("10"));
  expect(writes.takes("a", update("9", "10"), (change) => routed.push(change))).toBe(true);
  await writes.track("a", version("10"), async () => {
    expect(writes.takes("a", update("10", "11"), (change) => routed.push(change))).toBe(true);
    return version("11");
  });
  expect(routed).toEqual([]);
  expect(writes.isEmpty).toBe(true);
});

test("a change that arrives during a write and is not its echo is routed after the response, also of a failed write", async () => {
  const routed: unknown[] = [];
  const writes = new OwnWrites();
  const [theirs, mixed] = [update("1", "2"), update("2", "3")];
  await writes.track("a", version("1"), async () => {
    for (const change of [theirs, mixed]) expect(writes.takes("a", change, (one) => routed.push(one))).toBe(true);
    return version("3");
  });
  expect(routed).toEqual([theirs, mixed]);
  const failed = writes.track("a", version("3"), async () => {
    writes.takes("a", update("3", "4"), (one) => routed.push(one));
    throw new Error("lost response");
  });
  await expect(failed).rejects.toThrow("lost response");
  expect(routed).toHaveLength(3);
  expect(writes.isEmpty).toBe(true);
});

test("after a relist nothing is dropped, nor a change from another version than the one that the write was based on", async () => {
  for (const change of [update("1", "3", true), update("2", "3"), update("1", "4")]) {
    const writes = new OwnWrites();
    await writes.track("a", version("1"), async () => version("3"));
    expect(writes.takes("a", change, () => {})).toBe(false);
    expect(writes.isEmpty).toBe(true);
  }
});

test("a write that changes nothing leaves nothing to wait for", async () => {
  const writes = new OwnWrites();
  await writes.track("a", version("1"), async () => version("1"));
  expect(writes.isEmpty).toBe(true);
});

import { expect, test } from "vitest";
import { loadLmdb } from "./load-lmdb.js";

test("loadLmdb rejects with STORAGE_UNAVAILABLE when lmdb is not installed", async () => {
  const cause = new Error("Cannot find package 'lmdb'");
  await expect(loadLmdb("dev-data", () => Promise.reject(cause))).rejects.toMatchObject({
    code: "STORAGE_UNAVAILABLE",
    message: `Cannot use data folder "dev-data": the optional dependency "lmdb" did not load (Cannot find package 'lmdb'); install it, or start without a data folder`,
    cause,
  });
});

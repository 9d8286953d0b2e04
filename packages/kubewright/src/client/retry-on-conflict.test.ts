import { FakeClock } from "@kubewright/core/clock";
import { ApiError, isConflict } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { turns } from "../../test/scripted-transport.js";
import { retryOnConflict } from "./index.js";

const conflict = () =>
  new ApiError(409, "Cannot update", {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: "Conflict",
    code: 409,
  });

test("a conflict is retried with backoff, up to the last attempt; any other error is thrown immediately", async () => {
  const clock = new FakeClock();
  const tried: number[] = [];
  const attempt = (until: number) => async () => {
    tried.push(clock.monotonic());
    if (tried.length < until) throw conflict();
    return "done";
  };
  const pass = async (): Promise<void> => {
    for (let round = 0; round < 200; round++) {
      await turns(5);
      clock.advance(1);
    }
  };
  const common = { clock, random: () => 0 };
  const third = retryOnConflict(attempt(3), { ...common, factor: 5 });
  await pass();
  expect(await third).toBe("done");
  expect(tried).toEqual([0, 10, 60]);
  tried.length = 0;
  const never = retryOnConflict(attempt(99), common).catch((error: unknown) => error);
  await pass();
  expect(isConflict(await never)).toBe(true);
  expect(tried).toHaveLength(5);
  await expect(retryOnConflict(() => Promise.reject(new Error("other")), common)).rejects.toThrow("other");
  const aborted = AbortSignal.abort(new Error("ended"));
  await expect(retryOnConflict(attempt(1), { ...common, signal: aborted })).rejects.toThrow("ended");
});

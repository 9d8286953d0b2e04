import { expect, test } from "vitest";
import type { ApiClient } from "../servers/api-client.js";
import { get } from "../test-case.js";
import { compareCases } from "./compare-case.js";
import { chanceDecided } from "./explained.js";

/** A server that returns these messages in rotation and accepts every namespace. */
function client(...messages: readonly string[]): ApiClient {
  let given = 0;
  return {
    send: async ({ method }) =>
      method === "POST"
        ? { status: 201, headers: {}, body: {} }
        : { status: 200, headers: {}, body: { message: messages[given++ % messages.length] } },
    watch: () => Promise.reject(new Error("This server has no watch")),
    close: async () => {},
  };
}

async function verdictOf(real: ApiClient, ours: ApiClient) {
  const [verdict] = await compareCases({ real, ours }, [{ name: "one", steps: [get("/x")] }], { concurrency: 1 });
  return { isUnexplained: verdict?.unexplained !== undefined, why: verdict?.explained.map(({ why }) => why) };
}

test("a real server's varying response is nondeterministic", async () => {
  const verdict = await verdictOf(client("first", "first", "second"), client("second"));
  expect(verdict).toEqual({ isUnexplained: false, why: [chanceDecided] });
});

test("a real server's response that always differs stays unexplained", async () => {
  const verdict = await verdictOf(client("first", "third"), client("second"));
  expect(verdict).toEqual({ isUnexplained: true, why: [] });
});

test("a varying response of ours stays unexplained", async () => {
  const verdict = await verdictOf(client("first"), client("second", "first"));
  expect(verdict).toEqual({ isUnexplained: true, why: [] });
});

import { expect, test } from "vitest";
import type { Door } from "../servers/door.js";
import { get } from "../test-case.js";
import { compareCases } from "./compare-case.js";
import { chanceDecided } from "./explained.js";

/** A server that gives these messages, one after the other and then from the first again, and takes every namespace. */
function door(...messages: readonly string[]): Door {
  let given = 0;
  return {
    send: async ({ method }) =>
      method === "POST"
        ? { status: 201, headers: {}, body: {} }
        : { status: 200, headers: {}, body: { message: messages[given++ % messages.length] } },
    watch: () => Promise.reject(new Error("There is no watch here")),
    close: async () => {},
  };
}

async function verdictOf(real: Door, ours: Door) {
  const [verdict] = await compareCases({ real, ours }, [{ name: "one", steps: [get("/x")] }], { atOnce: 1 });
  return { isUnexplained: verdict?.unexplained !== undefined, why: verdict?.explained.map(({ why }) => why) };
}

test("what a real server answers one way or the other was decided by chance", async () => {
  const verdict = await verdictOf(door("first", "first", "second"), door("second"));
  expect(verdict).toEqual({ isUnexplained: false, why: [chanceDecided] });
});

test("what a real server always answers otherwise stays unexplained", async () => {
  const verdict = await verdictOf(door("first", "third"), door("second"));
  expect(verdict).toEqual({ isUnexplained: true, why: [] });
});

test("an answer of ours that changes from time to time is not put down to chance", async () => {
  const verdict = await verdictOf(door("first"), door("second", "first"));
  expect(verdict).toEqual({ isUnexplained: true, why: [] });
});

import type { Http2ServerResponse } from "node:http2";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type OpenRequest, OpenRequests } from "./open-requests.js";

const response = {} as Http2ServerResponse;

test("requests are taken from the oldest on, those that were removed are not, in any order of removal", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 40 }), fc.nat({ max: 20 }), (removals, count) => {
      const open = new OpenRequests();
      const added: OpenRequest[] = Array.from({ length: count }, () => open.add(response));
      const removed = new Set(removals.flatMap((index) => added[index] ?? []));
      for (const index of removals) {
        const one = added[index];
        // Twice: a response ends by several events.
        if (one !== undefined) open.remove(one);
      }
      const left = added.filter((one) => !removed.has(one));
      const taken: OpenRequest[] = [];
      for (let one = open.takeBefore(Infinity); one !== undefined; one = open.takeBefore(Infinity)) taken.push(one);
      expect(taken).toEqual(left);
    }),
  );
});

test("a request that arrived later is not taken", () => {
  const open = new OpenRequests();
  const one = open.add(response);
  expect(open.takeBefore(one.arrivedMs - 1)).toBeUndefined();
  expect(open.takeBefore(one.arrivedMs)).toBe(one);
});

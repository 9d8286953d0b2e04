import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressNumber,
  containsRange,
  parseRange,
  specialAddress,
  strictAddress,
  strictRange,
} from "./network-values.js";

test("a text is an address exactly when Node takes it for one, but for zones", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 12 })), (text) => {
      expect(addressNumber(text) !== undefined).toBe(
        isIP(text.replace(/(^|\.)0+(?=\d)/g, "$1")) === 4 || (isIP(text) === 6 && !text.includes("%")),
      );
    }),
  );
});

test("every address lies in the range of its first bits, and a longer range in the shorter", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 32 }), (address, a, b) => {
      const [outer, inner] = [parseRange(`${address}/${Math.min(a, b)}`), parseRange(`${address}/${Math.max(a, b)}`)];
      expect(outer && inner && containsRange(outer, inner)).toBe(true);
    }),
  );
});

test.each([
  ["::", 0n],
  ["::1", 1n],
  ["1::", 1n << 112n],
  ["::ffff:1.2.3.4", 0xffff01020304n],
  ["10.0.0.010", 0x0a00000an],
])("%s is the number %s", (text, value) => {
  expect(addressNumber(text)?.value).toBe(value);
});

test.each([
  ["10.0.0.0/8", []],
  ["10.0.0.1/8", ["must not have bits set beyond the prefix length"]],
  ["10.0.0.0/33", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]],
  ["10.0.0.0/08", ["must not have leading 0s in IP or prefix length"]],
  ["010.0.0.1/8", ["must not have leading 0s in IP or prefix length"]],
  ["::ffff:10.0.0.0/104", ["must not have an IPv4-mapped IPv6 address"]],
  ["2001:DB8::/64", ['must be in canonical form ("2001:db8::/64")']],
  ["x", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]],
])("the range %s has these problems: %j", (text, problems) => {
  expect(strictRange(text)).toEqual(problems);
});

test.each(["127.0.0.1", "::1", "169.254.1.1", "fe80::1", "224.0.0.1", "0.0.0.0"])(
  "nothing can be sent to %s",
  (address) => {
    expect(specialAddress(address, "f")).toHaveLength(1);
  },
);

test.each([
  ["10.0.0.1", []],
  ["2001:db8::1", []],
  ["10.0.0.01", ["must not have leading 0s"]],
  ["::ffff:10.0.0.1", ["must not be an IPv4-mapped IPv6 address"]],
  ["2001:DB8:0::1", ['must be in canonical form ("2001:db8::1")']],
  ["fe80::1%eth0", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
])("the address %s has these problems: %j", (text, problems) => {
  expect(strictAddress(text)).toEqual(problems);
});

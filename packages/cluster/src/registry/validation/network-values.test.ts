import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalAddress,
  canonicalCidr,
  checkNonSpecialIP,
  containsCidr,
  parseAddress,
  parseCidr,
} from "./network-values.js";

test("parseAddress accepts the addresses that Node accepts, except those with a zone", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 12 })), (text) => {
      expect(parseAddress(text) !== undefined).toBe(
        isIP(text.replace(/(^|\.)0+(?=\d)/g, "$1")) === 4 || (isIP(text) === 6 && !text.includes("%")),
      );
    }),
  );
});

test("a CIDR contains the CIDRs of the same address with longer prefixes", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 32 }), (address, a, b) => {
      const [outer, inner] = [parseCidr(`${address}/${Math.min(a, b)}`), parseCidr(`${address}/${Math.max(a, b)}`)];
      expect(outer && inner && containsCidr(outer, inner)).toBe(true);
    }),
  );
});

test.each([
  ["::", 0n],
  ["::1", 1n],
  ["1::", 1n << 112n],
  ["::ffff:1.2.3.4", 0xffff01020304n],
  ["10.0.0.010", 0x0a00000an],
])("parseAddress(%s) has the value %s", (text, value) => {
  expect(parseAddress(text)?.value).toBe(value);
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
])("canonicalCidr(%s) returns %j", (text, problems) => {
  expect(canonicalCidr(text)).toEqual(problems);
});

test.each(["127.0.0.1", "::1", "169.254.1.1", "fe80::1", "224.0.0.1", "0.0.0.0"])(
  "%s is rejected as a special address",
  (address) => {
    expect(checkNonSpecialIP(address, "f")).toHaveLength(1);
  },
);

test.each([
  ["10.0.0.1", []],
  ["2001:db8::1", []],
  ["10.0.0.01", ["must not have leading 0s"]],
  ["::ffff:10.0.0.1", ["must not be an IPv4-mapped IPv6 address"]],
  ["2001:DB8:0::1", ['must be in canonical form ("2001:db8::1")']],
  ["fe80::1%eth0", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
])("canonicalAddress(%s) returns %j", (text, problems) => {
  expect(canonicalAddress(text)).toEqual(problems);
});

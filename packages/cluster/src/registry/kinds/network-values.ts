import { isIP, isIPv6 } from "node:net";
import { type FieldError, invalid } from "@kubewright/core/schema";
import type { NameRule } from "../name-rules.js";

/** A range of addresses: its first address and how many bits of it count. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly bits: number;
}

/** An address as a number; undefined for what is none. Leading zeros are borne, as older fields bear them. */
export function addressNumber(text: string): { readonly family: 4 | 6; readonly value: bigint } | undefined {
  const plain = text.replace(/(^|\.)0+(?=\d)/g, "$1");
  if (isIP(plain) === 4)
    return { family: 4, value: plain.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
  if (isIP(text) !== 6 || text.includes("%")) return undefined;
  const [head = "", tail] = withoutDots(text).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return { family: 6, value: groups.reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n) };
}

/** The same address of version 6, without an address of version 4 at its end. */
function withoutDots(text: string): string {
  const found = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!found) return text;
  const [a = 0, b = 0, c = 0, d = 0] = found.slice(1).map(Number);
  return `${text.slice(0, found.index)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** A range as `10.0.0.0/8`; undefined for what is none. */
export function parseRange(text: string): (AddressRange & { readonly isExact: boolean }) | undefined {
  const found = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const address = addressNumber(found?.[1] ?? "");
  const bits = Number(found?.[2]);
  if (!address || bits > (address.family === 4 ? 32 : 128)) return undefined;
  const free = BigInt((address.family === 4 ? 32 : 128) - bits);
  const first = (address.value >> free) << free;
  return { family: address.family, first, bits, isExact: first === address.value };
}

/** Whether every address of `inner` lies in `outer`. */
export function containsRange(outer: AddressRange, inner: AddressRange): boolean {
  const free = BigInt((outer.family === 4 ? 32 : 128) - outer.bits);
  return outer.family === inner.family && inner.bits >= outer.bits && inner.first >> free === outer.first >> free;
}

/** Whether a text is an address of version 6. */
export function isVersion6(text: string): boolean {
  return isIPv6(text);
}

/** A range of addresses, as fields that are older than the strict rules take it. */
export const addressRange: NameRule = (value) =>
  parseRange(value) ? [] : ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];

/** The same, without bits beyond the prefix. */
export const exactRange: NameRule = (value) => {
  const found = parseRange(value);
  if (!found) return addressRange(value);
  return found.isExact ? [] : ["must not have bits set beyond the prefix length"];
};

/** What keeps an address from being one that traffic can be sent to. */
export function specialAddress(address: string, field: string): FieldError[] {
  const found = addressNumber(address);
  if (!found) return [];
  const { family, value } = found;
  const details: string[] = [];
  const within = (range: string): boolean => {
    const outer = parseRange(range);
    return outer !== undefined && containsRange(outer, { family, first: value, bits: family === 4 ? 32 : 128 });
  };
  if (value === 0n) details.push(`may not be unspecified (${JSON.stringify(address)})`);
  if (within("127.0.0.0/8") || within("::1/128"))
    details.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (within("169.254.0.0/16") || within("fe80::/10"))
    details.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (within("224.0.0.0/24") || within("ff02::/16"))
    details.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  return details.map((detail) => invalid(field, address, detail));
}

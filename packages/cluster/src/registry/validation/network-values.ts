import { isIP, isIPv4, isIPv6 } from "node:net";
import { type FieldError, invalid } from "@kubewright/core/schema";
import type { NameRule } from "../name-rules.js";

/** A CIDR: its first address and its prefix length. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly bits: number;
}

/** An IP address as a number. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Parses an IP address; undefined for an invalid one. Accepts leading zeros, as legacy fields do. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/(^|\.)0+(?=\d)/g, "$1");
  if (isIP(plain) === 4)
    return { family: 4, value: plain.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
  if (isIP(text) !== 6 || text.includes("%")) return undefined;
  const [head = "", tail] = withoutIPv4Suffix(text).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return { family: 6, value: groups.reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n) };
}

/** Rewrites the dotted IPv4 suffix of an IPv6 address in hexadecimal. */
function withoutIPv4Suffix(text: string): string {
  const found = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!found) return text;
  const [a = 0, b = 0, c = 0, d = 0] = found.slice(1).map(Number);
  return `${text.slice(0, found.index)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Whether an address is an IPv4-mapped IPv6 address. */
function isIPv4Mapped({ family, value }: Address): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

/** The canonical form of an address. */
export function formatAddress(address: Address): string {
  const { family, value } = address;
  const parts = (count: number, bits: number): bigint[] =>
    Array.from({ length: count }, (_, index) => BigInt.asUintN(bits, value >> BigInt(bits * (count - 1 - index))));
  if (family === 4 || isIPv4Mapped(address)) return parts(4, 8).join(".");
  const groups = parts(8, 16).map((part) => part.toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** Parses a CIDR; undefined for an invalid one. */
export function parseCidr(text: string): (Cidr & { readonly isExact: boolean }) | undefined {
  const found = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const address = parseAddress(found?.[1] ?? "");
  const bits = Number(found?.[2]);
  if (!address || bits > (address.family === 4 ? 32 : 128)) return undefined;
  const free = BigInt((address.family === 4 ? 32 : 128) - bits);
  const first = (address.value >> free) << free;
  return { family: address.family, first, bits, isExact: first === address.value };
}

/** Whether `outer` contains `inner`. */
export function containsCidr(outer: Cidr, inner: Cidr): boolean {
  const free = BigInt((outer.family === 4 ? 32 : 128) - outer.bits);
  return outer.family === inner.family && inner.bits >= outer.bits && inner.first >> free === outer.first >> free;
}

/** Whether a string is an IPv6 address. */
export function isIPv6Address(text: string): boolean {
  return isIPv6(text);
}

/** An IP address, as legacy fields accept it. */
export const ipAddress: NameRule = (value) => {
  if (isIPv4(value)) return [];
  const found = parseAddress(value);
  if (!found) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (isIP(value) === 0) return ["must not have leading 0s"];
  return isIPv4Mapped(found) ? ["must not be an IPv4-mapped IPv6 address"] : [];
};

/** An IP address in canonical form. */
export const canonicalAddress: NameRule = (value) => {
  const problems = ipAddress(value);
  const found = parseAddress(value);
  return problems.length > 0 || !found ? problems : canonical(value, formatAddress(found));
};

/** A CIDR, as legacy fields accept it. */
export const cidrValue: NameRule = (value) => {
  const range = parseCidr(value);
  const [address = "", bits = ""] = value.split("/");
  const found = parseAddress(address);
  if (!range || !found) return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  if (isIP(address) === 0 || /^0\d/.test(bits)) return ["must not have leading 0s in IP or prefix length"];
  if (isIPv4Mapped(found)) return ["must not have an IPv4-mapped IPv6 address"];
  return range.isExact ? [] : ["must not have bits set beyond the prefix length"];
};

/** A CIDR in canonical form. */
export const canonicalCidr: NameRule = (value) => {
  const problems = cidrValue(value);
  const range = parseCidr(value);
  return problems.length > 0 || !range ? problems : canonical(value, formatCidr(range));
};

function canonical(value: string, printed: string): string[] {
  return value === printed ? [] : [`must be in canonical form ("${printed}")`];
}

/** The canonical form of a CIDR. */
export function formatCidr({ family, first, bits }: Cidr): string {
  return `${formatAddress({ family, value: first })}/${bits}`;
}

/** Rejects unspecified, loopback, link-local and multicast addresses. */
export function checkNonSpecialIP(address: string, field: string): FieldError[] {
  const found = parseAddress(address);
  if (!found) return [];
  const { family, value } = found;
  const details: string[] = [];
  const within = (range: string): boolean => {
    const outer = parseCidr(range);
    return outer !== undefined && containsCidr(outer, { family, first: value, bits: family === 4 ? 32 : 128 });
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

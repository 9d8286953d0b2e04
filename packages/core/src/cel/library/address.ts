import { goQuote } from "../../json/index.js";

/** An IP address as Go's netip parses it. */
export interface Address {
  readonly bits: bigint;
  readonly family: 4 | 6;
}

/** Thrown with Go's message. */
export class AddressProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The number of bits of an address. */
export function widthOf({ family }: Address): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** Neither zones nor IPv4 addresses in the form of IPv6 are allowed. */
export function parseAddress(text: string): Address {
  const fail = (message: string): never => {
    throw new AddressProblem(
      `IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): ${message}`,
    );
  };
  const kind = /[.:%]/.exec(text)?.[0];
  if (kind === ".") return { bits: parseIpv4(text, fail), family: 4 };
  if (kind !== ":") fail(kind === "%" ? "missing IPv6 address" : "unable to parse IP");
  const percent = text.indexOf("%");
  if (percent === text.length - 1) fail("zone must be a non-empty string");
  const bits = parseIpv6(percent < 0 ? text : text.slice(0, percent), fail);
  if (percent >= 0) throw new AddressProblem(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(bits)) throw new AddressProblem(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return { bits, family: 6 };
}

function isMapped(bits: bigint): boolean {
  return bits >> 32n === 0xffffn;
}

type Fail = (message: string) => never;

function parseIpv4(text: string, fail: Fail): bigint {
  const fields = text.split(".");
  for (const field of fields) {
    if (/[^\d]/.test(field)) fail("unexpected character");
    if (field === "") fail("IPv4 field must have at least one digit");
    if (/^0\d/.test(field)) fail("IPv4 field has octet with leading zero");
    if (Number(field) > 255) fail("IPv4 field has value >255");
  }
  if (fields.length < 4) fail("IPv4 address too short");
  if (fields.length > 4) fail("IPv4 address too long");
  return fields.reduce((bits, field) => (bits << 8n) | BigInt(field), 0n);
}

function parseIpv6(text: string, fail: Fail): bigint {
  const halves = text.split("::");
  if (halves.length > 2) fail("multiple :: in address");
  const groups = halves.map((half, index) => readGroups(half, index === halves.length - 1, fail));
  const [head = [], tail = []] = groups;
  const count = head.length + tail.length;
  if (halves.length === 1 && count < 8) fail("address string too short");
  if (count > 8 || (halves.length === 2 && count === 8)) {
    fail(count > 8 ? "trailing garbage after address" : "the :: must expand to at least one field of zeros");
  }
  const all = halves.length === 1 ? head : [...head, ...new Array<bigint>(8 - count).fill(0n), ...tail];
  return all.reduce((bits, group) => (bits << 16n) | group, 0n);
}

function readGroups(half: string, isLast: boolean, fail: Fail): bigint[] {
  if (half === "") return [];
  const fields = half.split(":");
  return fields.flatMap((field, index) => {
    if (isLast && index === fields.length - 1 && field.includes(".")) {
      const bits = parseIpv4(field, fail);
      return [bits >> 16n, bits & 0xffffn];
    }
    if (field === "") fail("each colon-separated field must have at least one digit");
    if (!/^[0-9A-Fa-f]+$/.test(field)) fail("unexpected character");
    if (field.length > 4) fail("each group must have 4 or less digits");
    return [BigInt(`0x${field}`)];
  });
}

/** The canonical form: lower case, the longest run of zero groups as `::`. */
export function formatAddress({ bits, family }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  let [start, length] = [-1, 1];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === "0") to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (start < 0) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

const prefixes = new Map<string, Prefix>();

function inPrefix(address: Address, prefix: string): boolean {
  const parsed = prefixes.get(prefix) ?? parsePrefix(prefix);
  prefixes.set(prefix, parsed);
  return parsed.address.family === address.family && contains(parsed, address);
}

/** What the functions of IP addresses ask; ranges as in Go's netip. */
export const addressTests = {
  isUnspecified: ({ bits }: Address): boolean => bits === 0n,
  isLoopback: (address: Address): boolean => inPrefix(address, "127.0.0.0/8") || inPrefix(address, "::1/128"),
  isLinkLocalMulticast: (address: Address): boolean =>
    inPrefix(address, "224.0.0.0/24") || (address.family === 6 && ((address.bits >> 112n) & 0xff0fn) === 0xff02n),
  isLinkLocalUnicast: (address: Address): boolean =>
    inPrefix(address, "169.254.0.0/16") || inPrefix(address, "fe80::/10"),
  isGlobalUnicast: (address: Address): boolean =>
    address.bits !== 0n &&
    !(address.family === 4 && address.bits === 0xffffffffn) &&
    !addressTests.isLoopback(address) &&
    !addressTests.isLinkLocalUnicast(address) &&
    !inPrefix(address, "224.0.0.0/4") &&
    !inPrefix(address, "ff00::/8"),
};

/** An address and how many of its bits are the network's. */
export interface Prefix {
  readonly address: Address;
  readonly length: number;
}

export function parsePrefix(text: string): Prefix {
  const wrap = "network address parse error during conversion from string: ";
  const fail = (message: string): never => {
    throw new AddressProblem(`${wrap}netip.ParsePrefix(${goQuote(text)}): ${message}`);
  };
  const slash = text.lastIndexOf("/");
  if (slash < 0) fail("no '/'");
  const [head, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (head.includes("%")) fail("IPv6 zones cannot be present in a prefix");
  let address: Address;
  try {
    address = parseAddress(head);
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error;
    if (error.message.startsWith("IPv4-mapped")) {
      throw new AddressProblem(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
    }
    return fail(error.message.slice(error.message.indexOf("ParseAddr(")));
  }
  if (!/^(0|[1-9]\d*)$/.test(bits)) fail(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > widthOf(address)) fail("prefix length out of range");
  return { address, length: Number(bits) };
}

export function masked({ address, length }: Prefix): Prefix {
  const shift = BigInt(widthOf(address) - length);
  return { address: { ...address, bits: (address.bits >> shift) << shift }, length };
}

export function contains(prefix: Prefix, address: Address): boolean {
  if (prefix.address.family !== address.family) return false;
  const shift = BigInt(widthOf(address) - prefix.length);
  return prefix.address.bits >> shift === address.bits >> shift;
}

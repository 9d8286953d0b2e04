import { addressNumber, parseRange, printAddress, printRange } from "./network-values.js";

/** Warnings about an IP address that is valid but not canonical. */
export function addressWarnings(field: string, value: string): string[] {
  if (!value.includes(":")) return [];
  const found = addressNumber(value);
  return found?.family === 6 ? advice(field, "address", value, printAddress(found)) : [];
}

/** Warnings about a CIDR that is valid but not canonical. */
export function rangeWarnings(field: string, value: string): string[] {
  const range = parseRange(value);
  return range?.family === 6 ? advice(field, "CIDR value", value, printRange(range)) : [];
}

function advice(field: string, what: string, value: string, printed: string): string[] {
  if (value === printed) return [];
  return [`${field}: IPv6 ${what} ${JSON.stringify(value)} should be in RFC 5952 canonical format ("${printed}")`];
}

import { formatAddress, formatCidr, parseAddress, parseCidr } from "./network-values.js";

/** Warnings about an IP address that is valid but not canonical. */
export function addressWarnings(field: string, value: string): string[] {
  if (!value.includes(":")) return [];
  const found = parseAddress(value);
  return found?.family === 6 ? canonicalWarning(field, "address", value, formatAddress(found)) : [];
}

/** Warnings about a CIDR that is valid but not canonical. */
export function cidrWarnings(field: string, value: string): string[] {
  const cidr = parseCidr(value);
  return cidr?.family === 6 ? canonicalWarning(field, "CIDR value", value, formatCidr(cidr)) : [];
}

function canonicalWarning(field: string, what: string, value: string, printed: string): string[] {
  if (value === printed) return [];
  return [`${field}: IPv6 ${what} ${JSON.stringify(value)} should be in RFC 5952 canonical format ("${printed}")`];
}

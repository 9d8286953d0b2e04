import { badRequest } from "./api-failure.js";

/** The 64-bit integer of a query parameter; undefined where there is none. Throws the 400 for any other string. */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isInteger = /^[+-]?\d+$/.test(text);
  if (isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text);
  const why = isInteger ? "value out of range" : "invalid syntax";
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
}

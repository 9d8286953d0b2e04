import { badRequest } from "./api-failure.js";

/** Parses the int64 of a query parameter; undefined if it is absent. Throws a 400 for any other string. */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isInteger = /^[+-]?\d+$/.test(text);
  if (isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text);
  const why = isInteger ? "value out of range" : "invalid syntax";
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
}

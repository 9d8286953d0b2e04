const pattern = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(.*)$/;
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const maxInteger = 2n ** 63n - 1n;

interface Suffix {
  readonly format: "DecimalSI" | "BinarySI" | "DecimalExponent";
  readonly exponent: number;
}

/**
 * The inside of Go's `resource.Quantity` after reading a text: how it keeps the number depends on the digits, and whether it keeps the
 * text as well on whether it would print that one again. The text is one that a server gave, so it is valid and canonical.
 */
export function dumpQuantity(text: string | undefined): string {
  if (text === undefined || text === "") return printed({ value: 0n, scale: 0, text: "", format: "" });
  if (text === "0") return printed({ value: 0n, scale: 0, text, format: "DecimalSI" });
  const [, sign = "", whole = "", denominator = "", suffixText = ""] = pattern.exec(text) ?? [];
  const suffix = readSuffix(suffixText);
  const digits = whole.replace(/^0+/, "") || "0";
  const number = BigInt(digits + denominator);
  const signed = sign === "-" ? -1n : 1n;
  const factor = suffix.format === "BinarySI" ? 2n ** BigInt(suffix.exponent) : 1n;
  const scale = (suffix.format === "BinarySI" ? 0 : suffix.exponent) - denominator.length;
  const isFast = precision(suffix, digits, denominator) >= 0 && scale >= -9 && number * factor <= maxInteger;
  if (isFast) {
    const keepsText =
      suffix.format === "BinarySI"
        ? suffix.exponent % 10 === 0 && (number & 7n) !== 0n
        : scale % 3 === 0 && !(digits + denominator).endsWith("000") && !(digits + denominator).startsWith("0");
    return printed({ value: signed * number * factor, scale, text: keepsText ? text : "", format: suffix.format });
  }
  return printed({
    value: 0n,
    scale: 0,
    text: "",
    format: suffix.format,
    exact: exactly(signed * number * factor, scale, suffix),
  });
}

/** What does not fit is kept in billionths, rounded up; of binary ones no more than the largest integer. */
function exactly(number: bigint, scale: number, { format }: Suffix): readonly [number: bigint, scale: number] {
  const shift = 10n ** BigInt(Math.abs(scale + 9));
  const magnitude = number < 0n ? -number : number;
  const billionths = scale + 9 >= 0 ? magnitude * shift : (magnitude + shift - 1n) / shift;
  const [capped, at] = format === "BinarySI" && billionths > maxInteger * 10n ** 9n ? [maxInteger, 0] : [billionths, 9];
  return [number < 0n ? -capped : capped, at];
}

function readSuffix(text: string): Suffix {
  const base = binary[text];
  if (base !== undefined) return { format: "BinarySI", exponent: base };
  const tens = decimal[text];
  if (tens !== undefined) return { format: "DecimalSI", exponent: tens };
  return { format: "DecimalExponent", exponent: Number(text.slice(1)) };
}

/** How many digits are left until the number may not fit into 64 bits, by Go's estimate. */
function precision({ format, exponent }: Suffix, digits: string, denominator: string): number {
  if (format !== "BinarySI") return 18 - digits.length - denominator.length;
  return denominator === "" ? 15 - digits.length - Math.trunc((exponent * 3) / 10) - 1 : -1;
}

interface Parts {
  readonly value: bigint;
  readonly scale: number;
  readonly text: string;
  readonly format: string;
  /** The number and its scale, where it is kept exactly. */
  readonly exact?: readonly [number: bigint, scale: number];
}

function printed({ value, scale, text, format, exact }: Parts): string {
  const amount = `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  return `{${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${printedExact(exact)}} s:(string)${text} Format:(resource.Format)${format}}`;
}

function printedExact(exact: Parts["exact"]): string {
  if (exact === undefined) return "<nil>";
  const [number, scale] = exact;
  const words: bigint[] = [];
  for (let rest = number < 0n ? -number : number; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const digits = words.length === 0 ? "<nil>" : `[${words.join(" ")}]`;
  return `{unscaled:(big.Int){neg:(bool)${number < 0n} abs:(big.nat)${digits}} scale:(inf.Scale)${scale}}`;
}

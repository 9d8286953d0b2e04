import { formatMicroTime, formatTime } from "@kubewright/core/meta";
import { Quantity } from "@kubewright/core/quantity";

/** A scalar as Go's decoder takes it: in its canonical form, or with what is wrong. */
export type Scalar =
  | { readonly kind: "taken"; readonly value: string }
  | { readonly kind: "refused"; readonly why: string };

/** An amount of a resource, in its canonical form; empty text is none of it. */
export function decodeQuantity(text: string): Scalar {
  try {
    return { kind: "taken", value: text === "" ? "0" : Quantity.parse(text).toString() };
  } catch (error) {
    return { kind: "refused", why: error instanceof Error ? error.message : String(error) };
  }
}

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes in base64, padded. */
export function decodeBytes(text: string): Scalar {
  const plain = text.replace(/[\r\n]/g, "");
  if (plain.length % 4 === 0 && base64Text.test(plain)) return { kind: "taken", value: plain };
  const bad = [...plain].findIndex((character) => !/[A-Za-z0-9+/]/.test(character));
  // Go tells where the group of four begins that it could not read.
  const at = bad < 0 ? plain.length - (plain.length % 4) : bad;
  return { kind: "refused", why: `illegal base64 data at input byte ${at}` };
}

const timeText = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** A time to the second, in UTC. */
export function decodeTime(text: string): Scalar {
  const ms = timeText.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return badTime(text, "2006-01-02T15:04:05Z07:00", "2006");
  return { kind: "taken", value: formatTime(ms) };
}

/** A time to the microsecond, in UTC; six digits must be there. */
export function decodeMicroTime(text: string): Scalar {
  const layout = "2006-01-02T15:04:05.000000Z07:00";
  const match = timeText.exec(text);
  const ms = match ? Date.parse(text) : Number.NaN;
  if (!match || Number.isNaN(ms)) return badTime(text, layout, "2006");
  const [, , fraction = "", zone = ""] = match;
  if (fraction.length !== 7) return badTime(text, layout, ".000000", fraction + zone);
  // Date knows milliseconds only: the digits themselves are kept.
  return { kind: "taken", value: formatMicroTime(ms).replace(/\.\d+Z$/, `${fraction}Z`) };
}

function badTime(text: string, layout: string, part: string, rest = text): Scalar {
  return {
    kind: "refused",
    why: `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${part}"`,
  };
}

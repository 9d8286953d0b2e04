/** The few forms of ASN.1 DER that a certificate is made of. */

/** One value: its tag, its length, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** An ordered group. */
export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

/** An unordered group. */
export function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, ...parts);
}

/** A positive whole number, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** An object identifier, for instance `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 | (left % 128));
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

/** Text in UTF-8. */
export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text, "utf8"));
}

/** A time to the second, `YYMMDDHHMMSSZ`, in the years 1950 to 2049. */
export function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text, "latin1"));
}

/** Bits that fill whole bytes, or all but the last `unused` bits. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), bytes);
}

/** Bytes. */
export function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes);
}

/** True; false is the default everywhere in a certificate, and left out. */
export const yes: Buffer = der(0x01, Buffer.from([0xff]));

/** A part that is known by its number; `isGroup` when it holds other values. */
export function tagged(number: number, isGroup: boolean, ...parts: readonly Uint8Array[]): Buffer {
  return der((isGroup ? 0xa0 : 0x80) | number, ...parts);
}

/** Encodes the ASN.1 DER types that a certificate needs. */

/** A value: tag, length, content. */
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

/** SEQUENCE. */
export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

/** SET. */
export function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, ...parts);
}

/** A positive INTEGER. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** OBJECT IDENTIFIER, for instance `2.5.4.3`. */
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

/** UTF8String. */
export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text, "utf8"));
}

/** UTCTime, `YYMMDDHHMMSSZ`, for the years 1950 to 2049. */
export function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text, "latin1"));
}

/** BIT STRING; the last `unused` bits are padding. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), bytes);
}

/** OCTET STRING. */
export function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes);
}

/** BOOLEAN true. False is the default in certificates and is omitted. */
export const yes: Buffer = der(0x01, Buffer.from([0xff]));

/** A context-specific tag; `isGroup` for a constructed value. */
export function tagged(number: number, isGroup: boolean, ...parts: readonly Uint8Array[]): Buffer {
  return der((isGroup ? 0xa0 : 0x80) | number, ...parts);
}

/** One ASN.1 DER value. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
}

/** Parses consecutive DER values. Throws on malformed bytes. */
export function derValues(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = derValueAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

/** The values inside a constructed value. Throws if its tag differs. */
export function derGroup(value: DerValue | undefined, tag: number): DerValue[] {
  if (value?.tag !== tag) throw new Error("asn1: structure error: tags don't match");
  return derValues(value.content);
}

/** An object identifier in dotted form. */
export function dottedIdentifier({ tag, content }: DerValue): string {
  if (tag !== 0x06) throw new Error("asn1: structure error: tags don't match");
  const parts: number[] = [];
  let part = 0;
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (parts.length === 0)
      parts.push(Math.min(Math.floor(part / 40), 2), part - Math.min(Math.floor(part / 40), 2) * 40);
    else parts.push(part);
    part = 0;
  }
  return parts.join(".");
}

function derValueAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new Error("asn1: syntax error: data truncated");
  let length = first;
  let header = 2;
  if (first >= 0x80) {
    const count = first - 0x80;
    if (count === 0 || count > 4) throw new Error("asn1: structure error: length too large");
    header += count;
    if (at + header > bytes.length) throw new Error("asn1: syntax error: data truncated");
    length = bytes.readUIntBE(at + 2, count);
  }
  const end = at + header + length;
  if (end > bytes.length) throw new Error("asn1: syntax error: data truncated");
  return { tag, content: bytes.subarray(at + header, end), whole: bytes.subarray(at, end) };
}

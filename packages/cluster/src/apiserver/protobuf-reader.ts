/** One field of a message in wire format. */
export interface WireField {
  readonly number: number;
  /** A bigint for varints, bytes for everything else. */
  readonly value: bigint | Uint8Array;
}

/** The fields of a message, in wire order. Throws a RangeError if the bytes are malformed. */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("unexpected EOF");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError("proto: integer overflow");
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("unexpected EOF");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    switch (tag & 7n) {
      case 0n:
        yield { number, value: varint() };
        break;
      case 1n:
        yield { number, value: take(8) };
        break;
      case 2n:
        yield { number, value: take(Number(varint())) };
        break;
      case 5n:
        yield { number, value: take(4) };
        break;
      default:
        throw new RangeError(`proto: illegal wireType ${tag & 7n}`);
    }
  }
}

/** Decodes a string. */
export function textOf(value: bigint | Uint8Array): string {
  return typeof value === "bigint" ? "" : Buffer.from(value.buffer, value.byteOffset, value.length).toString("utf8");
}

/** Decodes a signed integer. */
export function integerOf(value: bigint | Uint8Array): number {
  return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : 0;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The texts of all elements with a name, in the responses of S3: documents without attributes of interest, comments, CDATA and nested elements of the
 * same name.
 */
export function elementsOf(xml: string, name: string): readonly string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^<>]*)?>([^]*?)</${name}>`, "g");
  return [...xml.matchAll(pattern)].map(([, text = ""]) => decode(text));
}

/** The text of the first element with a name. */
export function elementOf(xml: string, name: string): string | undefined {
  return elementsOf(xml, name)[0];
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
  });
}

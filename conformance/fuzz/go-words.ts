/**
 * A text without the names of Go that only its source tells: the structs that are embedded on the way to a field, and the types of texts.
 *
 * `Go struct field Probe.livenessProbe.ProbeHandler.grpc.port of type v1.Port` is about the field `livenessProbe.grpc.port`.
 */
export function withoutGoNames(text: string): string {
  return text
    .replace(/Go struct field (\S+) of type/g, (_, path: string) => {
      const fields = path.split(".").filter((part) => !/^[A-Z]/.test(part));
      return `Go struct field ${fields.join(".")} of type`;
    })
    .replace(/((?:of type|cannot convert \w+ to) (?:\[\]|map\[string\])?)\w+\.[A-Z]\w*/g, "$1string");
}

/** A text with the objects that it quotes in one order: keys by name, owners by manager. What is no object stays. */
export function withSortedQuotes(text: string): string {
  return text
    .replace(/Invalid value: ("(?:[^"\\]|\\.)*")/g, (whole, quoted: string) => {
      const sorted = sortedObject(unquoted(quoted));
      return sorted === undefined ? whole : `Invalid value: ${sorted}`;
    })
    .replace(/is missing in '(\{.*\})'/g, (whole, object: string) => sortedObject(object) ?? whole);
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

function sortedObject(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    // A port that was drawn stands there as a word.
    return JSON.stringify(sorted(JSON.parse(text.replaceAll(":<port>", ':"<port>"')), ""));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item, ""));
    return key === "managedFields" ? items.map((item) => JSON.stringify(item)).sort() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner, name)]));
}

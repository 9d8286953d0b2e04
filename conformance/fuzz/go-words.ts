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
    .replace(/map\[\w+\.[A-Z]\w*\]/g, "map[string]")
    .replace(/((?:of type|cannot convert \w+ to) (?:\[\]|map\[string\])?)\w+\.[A-Z]\w*/g, "$1string");
}

/** A text without the lines of differences that follow what it tells of a change. */
export function withoutDifferences(text: string): string {
  return text.replace(/\n(?:@@|[ +-])[^\n]*(?=\n)/g, "");
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

/**
 * A text with the structs that it quotes in one form: fields by name, in lower case, without those that are empty. Go prints its own
 * types, with other names than an API has and with every field.
 */
export function withPlainStructs(text: string): string {
  let plain = "";
  let rest = text;
  for (let at = startOfStruct(rest); at >= 0; at = startOfStruct(rest)) {
    const end = endOfJson(rest, at);
    if (end < 0) break;
    const struct = plainStruct(JSON.parse(rest.slice(at, end)));
    plain += `${rest.slice(0, at)}${isHollow(struct) ? "null" : JSON.stringify(struct)}`;
    rest = rest.slice(end);
  }
  return plain + rest;
}

function startOfStruct(text: string): number {
  const at = text.search(/(?:Invalid|Duplicate|Unsupported) value: [[{]/);
  return at < 0 ? -1 : text.indexOf(": ", at) + 2;
}

/** Where the JSON that begins at a place ends; -1 when it does not. */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth === 0) return from + index + 1;
  }
  return -1;
}

/** Fields that the server's own types call otherwise. */
const goNames: Readonly<Record<string, string>> = {
  cephmonitors: "monitors",
  datadiskuri: "diskuri",
  discoverychapauth: "chapauthdiscovery",
  endpointsname: "endpoints",
  radosuser: "user",
  rbdimage: "image",
  rbdpool: "pool",
  sessionchapauth: "chapauthsession",
};

/** Fields that the server's own type of a pod has in its security context. */
const ofHost: ReadonlySet<string> = new Set([
  "hostnetwork",
  "hostpid",
  "hostipc",
  "hostusers",
  "shareprocessnamespace",
]);

function plainStruct(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainStruct);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .map(([name, inner]) => [goNames[name.toLowerCase()] ?? name.toLowerCase(), plainStruct(inner)] as const)
    .flatMap(([name, inner]) => {
      const isRecord = typeof inner === "object" && inner !== null && !Array.isArray(inner);
      if (!isRecord) return [[name, inner] as const];
      const fields = Object.entries(inner);
      // Metadata are a part of the struct that they stand in.
      if (name === "metadata") return fields;
      if (name !== "securitycontext") return [[name, inner] as const];
      const own = fields.filter(([field]) => !ofHost.has(field));
      return [...fields.filter(([field]) => ofHost.has(field)), [name, Object.fromEntries(own)] as const];
    })
    .filter(([name, inner]) => !isHollow(inner) && name !== "serviceaccount")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function isHollow(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
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

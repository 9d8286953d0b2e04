import { parseJson, setOwn } from "@kubewright/core/json";
import { setLazily } from "./lazy-object.js";
import { textOf, visitMembers } from "./members.js";
import { closeList, closeObject, comma, openList, openObject, quote, type Scanner } from "./scan.js";

/**
 * Decodes the object at offset `at`, and returns it with its end offset. Type and metadata are parsed, without managedFields; large fields are
 * parsed on first read. Throws NotScannable, or a SyntaxError for invalid JSON.
 */
export function decodeObject(scanner: Scanner, at: number): { readonly object: object; readonly end: number } {
  const { bytes } = scanner;
  const object: Record<string, unknown> = {};
  const end = visitMembers(scanner, at, (key, valueAt) => {
    if (key === "metadata" && bytes[valueAt] === openObject) {
      const { text, end } = metadataJson(scanner, valueAt);
      const metadata = parseMetadata(text);
      // managedFields that the cut did not remove is not an array, and useless.
      object["metadata"] = "managedFields" in metadata ? dropManagedFields(metadata) : metadata;
      return end;
    }
    const end = scanner.value(valueAt);
    const first = bytes[valueAt];
    if (first === quote) setOwn(object, key, textOf(bytes, valueAt, end));
    else if (first === openObject || first === openList)
      setLazily(object, key, scanner.text(valueAt, end), scanner.parser);
    else setOwn(object, key, parseJson(bytes.toString("latin1", valueAt, end)));
    return end;
  });
  return { object, end };
}

interface Metadata {
  readonly managedFields?: unknown;
  readonly generation?: unknown;
  readonly deletionGracePeriodSeconds?: unknown;
}

/** ObjectMeta has two integers: looking at them costs less than looking for digits in its text. */
function parseMetadata(text: string): Metadata {
  const metadata = JSON.parse(text) as Metadata;
  const { generation = 0, deletionGracePeriodSeconds = 0 } = metadata;
  const isExact = Number.isSafeInteger(generation) && Number.isSafeInteger(deletionGracePeriodSeconds);
  return isExact ? metadata : (parseJson(text) as Metadata);
}

function dropManagedFields({ managedFields: _, ...others }: { readonly managedFields?: unknown }): object {
  return others;
}

const managedFieldsKey = Buffer.from('"managedFields":[');

/** Returns the JSON of metadata without managedFields, which is half of an object's bytes and rarely read. */
function metadataJson(scanner: Scanner, at: number): { readonly text: string; readonly end: number } {
  const { bytes } = scanner;
  const keyAt = scanner.reach(at, managedFieldsKey);
  if (keyAt === undefined) {
    const end = scanner.nested(at);
    return { text: bytes.toString("utf8", at, end), end };
  }
  const valueAt = keyAt + managedFieldsKey.length - 1;
  const valueEnd = endOfManagedFields(bytes, valueAt) ?? scanner.nested(valueAt);
  const end = bytes[valueEnd] === closeObject ? valueEnd + 1 : scanner.rest(valueEnd);
  // Cuts one comma too: the following one, or for the last member the preceding one.
  const [cutFrom, cutTo] =
    bytes[valueEnd] === comma ? [keyAt, valueEnd + 1] : [bytes[keyAt - 1] === comma ? keyAt - 1 : keyAt, valueEnd];
  // managedFields is usually the last member.
  const after = end === cutTo + 1 ? "}" : bytes.toString("utf8", cutTo, end);
  return { text: bytes.toString("utf8", at, cutFrom) + after, end };
}

/**
 * Finds the end of the managedFields array at `at` with a byte search: its entries contain no arrays, so the first `]` ends it, unless it is in a
 * string. If a string looks like the end, the remaining text is invalid JSON, and the caller falls back to a full parse.
 */
function endOfManagedFields(bytes: Buffer, at: number): number | undefined {
  const end = bytes.indexOf(closeList, at);
  if (end < 0 || bytes[end - 1] !== closeObject) return undefined;
  const after = bytes[end + 1];
  return after === closeObject || (after === comma && bytes[end + 2] === quote) ? end + 1 : undefined;
}

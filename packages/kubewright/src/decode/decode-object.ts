import { parseJson, setOwn } from "@kubewright/core/json";
import { setLazily } from "./lazy-object.js";
import { textOf, visitMembers } from "./members.js";
import { closeList, closeObject, comma, openObject, quote, type Scanner } from "./scan.js";

/**
 * The object that begins at `at`, and the place after it: type and metadata are parsed, without managed fields; its large parts are parsed when
 * they are first read. Throws NotScannable, or a SyntaxError for what is not JSON.
 */
export function decodeObject(scanner: Scanner, at: number): { readonly object: object; readonly end: number } {
  const { bytes } = scanner;
  const object: Record<string, unknown> = {};
  const end = visitMembers(scanner, at, (key, valueAt) => {
    if (key === "metadata" && bytes[valueAt] === openObject) {
      const { text, end } = metadataText(scanner, valueAt);
      const metadata = parseJson(text) as { readonly managedFields?: unknown };
      // What is there in spite of the cut is no list, and of no use either.
      object["metadata"] = "managedFields" in metadata ? withoutRecords(metadata) : metadata;
      return end;
    }
    const end = scanner.value(valueAt);
    if (bytes[valueAt] === quote) setOwn(object, key, textOf(bytes, valueAt, end));
    else setLazily(object, key, scanner.text(valueAt, end));
    return end;
  });
  return { object, end };
}

function withoutRecords({ managedFields: _, ...others }: { readonly managedFields?: unknown }): object {
  return others;
}

const recordsKey = Buffer.from('"managedFields":[');

/** The text of metadata without the record of who manages which field, which is half of an object's bytes and rarely read. */
function metadataText(scanner: Scanner, at: number): { readonly text: string; readonly end: number } {
  const { bytes } = scanner;
  const keyAt = scanner.reach(at, recordsKey);
  if (keyAt === undefined) {
    const end = scanner.nested(at);
    return { text: bytes.toString("utf8", at, end), end };
  }
  const valueAt = keyAt + recordsKey.length - 1;
  const valueEnd = endOfRecords(bytes, valueAt) ?? scanner.nested(valueAt);
  const end = bytes[valueEnd] === closeObject ? valueEnd + 1 : scanner.rest(valueEnd);
  // With it goes one comma: the one behind, or before the last member the one in front.
  const [cutFrom, cutTo] =
    bytes[valueEnd] === comma ? [keyAt, valueEnd + 1] : [bytes[keyAt - 1] === comma ? keyAt - 1 : keyAt, valueEnd];
  // Most often the records are the last member.
  const after = end === cutTo + 1 ? "}" : bytes.toString("utf8", cutTo, end);
  return { text: bytes.toString("utf8", at, cutFrom) + after, end };
}

/**
 * The end of the records that begin at `at`, found at the speed of a search: there is no list in a record, so the first `]` ends them, unless it
 * stands in a name. A name in which it looks like an end leaves text behind that is not JSON, and the whole is then parsed in another way.
 */
function endOfRecords(bytes: Buffer, at: number): number | undefined {
  const end = bytes.indexOf(closeList, at);
  if (end < 0 || bytes[end - 1] !== closeObject) return undefined;
  const after = bytes[end + 1];
  return after === closeObject || (after === comma && bytes[end + 2] === quote) ? end + 1 : undefined;
}

import { copyFields, getOwn, isJsonObject, type JsonValue, setOwn } from "../json/index.js";
import { PatchError } from "./patch-error.js";

/** Splits a JSON pointer (RFC 6901) into unescaped steps; the empty pointer is the whole document. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new PatchError("API_BAD_REQUEST", `Cannot parse JSON pointer "${pointer}": it does not begin with "/"`);
  }
  return (
    pointer
      .slice(1)
      .split("/")
      // As in kube-apiserver, a tilde before another character is kept.
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  );
}

/** The value at a path; undefined if there is none. */
export function resolvePointer(document: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = document;
  for (const step of steps) {
    if (Array.isArray(current)) current = current[arrayIndex(step, current.length) ?? -1];
    else if (isJsonObject(current)) current = getOwn(current, step);
    else return undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

/** Parses an index of RFC 6901, without leading zeros; a negative one counts from `end`. */
function arrayIndex(step: string, end: number): number | undefined {
  if (/^(0|[1-9][0-9]{0,9})$/.test(step)) return Number(step);
  if (!/^-[1-9][0-9]{0,9}$/.test(step)) return undefined;
  const index = end + Number(step);
  return index < 0 ? undefined : index;
}

/** An edit at the end of a path: `put` inserts into arrays, `replace` overwrites elements, `remove` deletes. */
export type PointerEdit =
  | { readonly kind: "put"; readonly value: JsonValue }
  | { readonly kind: "replace"; readonly value: JsonValue }
  | { readonly kind: "remove" };

/** A copy of the document with one edit, sharing everything off the path. Undefined if the path does not exist. */
export function editAt(document: JsonValue, steps: readonly string[], edit: PointerEdit): JsonValue | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return edit.kind === "remove" ? undefined : edit.value;
  if (Array.isArray(document)) return editArray(document, step, rest, edit);
  if (!isJsonObject(document)) return undefined;
  const fields = copyFields(document);
  if (rest.length > 0) {
    const child = getOwn(document, step);
    const edited = child === undefined ? undefined : editAt(child, rest, edit);
    if (edited === undefined) return undefined;
    setOwn(fields, step, edited);
  } else if (edit.kind === "remove") {
    if (!Object.hasOwn(document, step)) return undefined;
    delete fields[step];
  } else {
    setOwn(fields, step, edit.value);
  }
  return fields;
}

function editArray(
  document: readonly JsonValue[],
  step: string,
  rest: readonly string[],
  edit: PointerEdit,
): JsonValue | undefined {
  const isInsert = rest.length === 0 && edit.kind === "put";
  const end = isInsert ? document.length + 1 : document.length;
  const index = step === "-" && isInsert ? document.length : arrayIndex(step, end);
  if (index === undefined) return undefined;
  const items = [...document];
  if (rest.length > 0) {
    const child = document[index];
    const edited = child === undefined ? undefined : editAt(child, rest, edit);
    if (edited === undefined) return undefined;
    items[index] = edited;
    return items;
  }
  if (edit.kind === "put") {
    if (index > document.length) return undefined;
    items.splice(index, 0, edit.value);
    return items;
  }
  if (index >= document.length) return undefined;
  if (edit.kind === "remove") items.splice(index, 1);
  else items[index] = edit.value;
  return items;
}

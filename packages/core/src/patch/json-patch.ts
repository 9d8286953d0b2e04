import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../json/index.js";
import { editAt, type PointerEdit, parsePointer, resolvePointer } from "./json-pointer.js";
import { PatchError } from "./patch-error.js";

/** Maximum number of operations in a JSON patch, as in Kubernetes. */
const maxOperations = 10_000;
/** Maximum number of characters that `copy` operations may add, so that a short patch cannot create a huge object. */
const maxCopiedCharacters = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902): all operations in order, or none.
 *
 * Does not modify its input; the result shares unchanged parts. As in kube-apiserver, `replace` of a missing key adds it, `test` and `copy`
 * treat a missing key as null, a missing value is null, and negative indexes count from the end of a list. Throws a {@link PatchError}:
 * API_BAD_REQUEST if the patch is not a list or has more than 10,000 operations, API_INVALID if an operation is malformed, does not fit the
 * object, or a test fails.
 */
export function applyJsonPatch(target: JsonValue, operations: unknown): JsonValue {
  if (!Array.isArray(operations)) throw malformed("the patch is not an array of operations");
  if (operations.length > maxOperations) {
    throw malformed(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
  }
  const patch = new JsonPatch(target);
  for (const [index, operation] of operations.entries()) patch.apply(operation, index);
  return patch.document;
}

/** A document to which operations are applied. */
class JsonPatch {
  document: JsonValue;
  #copiedCharacters = 0;

  constructor(document: JsonValue) {
    this.document = document;
  }

  apply(operation: unknown, index: number): void {
    if (!isJsonObject(operation)) throw malformed(`operation ${index} is not an object`);
    const op = getOwn(operation, "op");
    const path = pointerOf(operation, "path", index);
    switch (op) {
      case "add":
        this.#edit(path, { kind: "put", value: operandOf(operation) }, `add "${path}"`);
        break;
      case "remove":
        this.#edit(path, { kind: "remove" }, `remove "${path}"`);
        break;
      case "replace":
        this.#edit(path, { kind: "replace", value: operandOf(operation) }, `replace "${path}"`);
        break;
      case "test":
        if (deepEqual(valueAt(this.document, parsePointer(path)), operandOf(operation))) break;
        throw new PatchError("API_INVALID", `Cannot apply JSON patch: testing value ${path} failed: test failed`);
      case "copy":
        this.#copy(pointerOf(operation, "from", index), path);
        break;
      case "move":
        this.#move(pointerOf(operation, "from", index), path);
        break;
      default:
        throw misfit(`operation ${index}`, `it has the unknown op ${JSON.stringify(op) ?? "none"}`);
    }
  }

  #copy(from: string, path: string): void {
    const what = `copy "${from}" to "${path}"`;
    const value = valueAt(this.document, parsePointer(from));
    if (value === undefined) throw misfit(what, "the path to copy from does not exist");
    this.#copiedCharacters += stringifyJson(value).length;
    if (this.#copiedCharacters > maxCopiedCharacters) throw misfit(what, "the patch copies too much");
    this.#edit(path, { kind: "put", value }, what);
  }

  #move(from: string, path: string): void {
    const what = `move "${from}" to "${path}"`;
    const value = resolvePointer(this.document, parsePointer(from));
    if (value === undefined) throw misfit(what, "the path to move from does not exist");
    if (path === from) return;
    if (path.startsWith(`${from}/`)) throw misfit(what, "a value cannot be moved into itself");
    this.#edit(from, { kind: "remove" }, what);
    this.#edit(path, { kind: "put", value }, what);
  }

  #edit(path: string, change: PointerEdit, what: string): void {
    const result = editAt(this.document, parsePointer(path), change);
    if (result === undefined) throw misfit(what, "the path does not exist");
    this.document = result;
  }
}

function pointerOf(operation: JsonObject, field: "path" | "from", index: number): string {
  const pointer = getOwn(operation, field);
  if (typeof pointer !== "string") throw malformed(`operation ${index} has no "${field}"`);
  return pointer;
}

function operandOf(operation: JsonObject): JsonValue {
  return getOwn(operation, "value") ?? null;
}

/** The value at a path; null for a missing key of an existing object, undefined if the object does not exist. */
function valueAt(document: JsonValue, steps: readonly string[]): JsonValue | undefined {
  const found = resolvePointer(document, steps);
  if (found !== undefined || steps.length === 0) return found;
  return isJsonObject(resolvePointer(document, steps.slice(0, -1))) ? null : undefined;
}

function malformed(why: string): PatchError {
  return new PatchError("API_BAD_REQUEST", `Cannot read JSON patch: ${why}`);
}

function misfit(what: string, why: string): PatchError {
  return new PatchError("API_INVALID", `Cannot apply JSON patch: ${what}: ${why}`);
}

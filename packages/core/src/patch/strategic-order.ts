import { getOwn, goPrint, isJsonObject, type JsonValue } from "../json/index.js";
import { PatchError } from "./patch-error.js";

/** A merged list, and the order of its elements in the patch and on the server. */
export interface MergedList {
  readonly merged: readonly JsonValue[];
  /** The order of the patch. Elements that it does not name are server-only. */
  readonly patchOrder: readonly JsonValue[];
  /** The order on the server. */
  readonly serverOrder: readonly JsonValue[];
  /** The field that identifies an element; undefined for lists of scalars. */
  readonly mergeKey?: string | undefined;
}

/** Orders a merged list: patched elements in the order of the patch, server-only elements interleaved at their place on the server. */
export function mergeInOrder({ merged, patchOrder, serverOrder, mergeKey }: MergedList): JsonValue[] {
  // A new list has the order of the patch.
  if (serverOrder.length === 0 && merged.length === patchOrder.length) return [...merged];
  const patchIndex = indexBy(patchOrder, mergeKey);
  const serverIndex = indexBy(serverOrder, mergeKey);
  const at = (index: Map<JsonValue | undefined, number>, item: JsonValue): number | undefined =>
    index.get(identity(item, mergeKey));
  const byIndex =
    (index: Map<JsonValue | undefined, number>) =>
    (a: JsonValue, b: JsonValue): number =>
      (at(index, a) ?? -1) - (at(index, b) ?? -1);
  const fromPatch = merged.filter((item) => at(patchIndex, item) !== undefined).sort(byIndex(patchIndex));
  const serverOnly = merged.filter((item) => at(patchIndex, item) === undefined).sort(byIndex(serverIndex));

  const result: JsonValue[] = [];
  let next = 0;
  for (const item of fromPatch) {
    const itemIndex = at(serverIndex, item);
    // A server-only element comes before a patched one only if the server has both, in that order.
    for (let own = serverOnly[next]; own !== undefined; own = serverOnly[next]) {
      const ownIndex = at(serverIndex, own);
      if (itemIndex === undefined || ownIndex === undefined || ownIndex >= itemIndex) break;
      result.push(own);
      next++;
    }
    result.push(item);
  }
  result.push(...serverOnly.slice(next));
  return result;
}

/** Rejects a `$setElementOrder` list that does not name the patch's elements in the patch's order. */
export function checkOrder(options: {
  readonly patch: readonly JsonValue[];
  readonly order: readonly JsonValue[];
  readonly mergeKey: string | undefined;
}): void {
  const { order, mergeKey } = options;
  if (order.length === 0) return;
  const patch = options.patch.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, "$patch")));
  let next = 0;
  for (const item of order) {
    const expected = patch[next];
    if (expected !== undefined && identity(expected, mergeKey) === identity(item, mergeKey)) next++;
  }
  if (next < patch.length) {
    const shown = [options.patch, order].map(goPrint);
    throw new PatchError(
      "API_BAD_REQUEST",
      `The order in patch list:\n${shown[0]}\n doesn't match $setElementOrder list:\n${shown[1]}\n`,
    );
  }
}

function indexBy(list: readonly JsonValue[], mergeKey: string | undefined): Map<JsonValue | undefined, number> {
  const result = new Map<JsonValue | undefined, number>();
  list.forEach((item, index) => {
    const id = identity(item, mergeKey);
    if (!result.has(id)) result.set(id, index);
  });
  return result;
}

function identity(item: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  return mergeKey !== undefined && isJsonObject(item) ? getOwn(item, mergeKey) : item;
}

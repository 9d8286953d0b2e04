import type { JsonObject } from "@kubewright/core/json";

const emptied = new WeakMap<object, ReadonlySet<string>>();

/** Remembers the fields of an object's root that were sent as empty lists or maps, and so are not there any more. */
export function rememberEmptied(object: JsonObject, fields: ReadonlySet<string>): void {
  if (fields.size > 0) emptied.set(object, fields);
}

/** The fields of an object's root that were sent as empty lists or maps. A real server tells them from missing ones where it compares. */
export function emptiedFields(object: JsonObject): ReadonlySet<string> {
  return emptied.get(object) ?? none;
}

const none: ReadonlySet<string> = new Set();

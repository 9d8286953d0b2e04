import { expect, test } from "vitest";
import { SharedRecords } from "./shared-records.js";
import { isLost, Store } from "./store.js";

const made = (name: string, field: string) => ({
  metadata: { name, managedFields: [{ manager: "a", time: name, fieldsV1: { "f:spec": { [`f:${field}`]: {} } } }] },
});

test("equal fieldsV1 are stored once, and objects read unchanged", () => {
  const store = new Store();
  const put = (name: string, field: string) => {
    const stored = store.put("widgets", name, 0, () => made(name, field));
    if (isLost(stored)) throw new Error("lost");
    return stored.object as unknown as ReturnType<typeof made>;
  };
  const [one, two, other] = [put("one", "size"), put("two", "size"), put("other", "color")];
  expect(one).toEqual(made("one", "size"));
  expect(two).toEqual(made("two", "size"));
  expect(two.metadata.managedFields[0]?.fieldsV1).toBe(one.metadata.managedFields[0]?.fieldsV1);
  expect(other.metadata.managedFields[0]?.fieldsV1).not.toBe(one.metadata.managedFields[0]?.fieldsV1);
  expect(Object.isFrozen(two.metadata.managedFields[0]?.fieldsV1)).toBe(true);
});

test("the number of cached fieldsV1 is bounded, and different ones are never mixed up", () => {
  const records = new SharedRecords();
  for (let index = 0; index < 5_000; index++)
    expect(records.share(made("a", `x${index}`))).toEqual(made("a", `x${index}`));
  const again = records.share(made("a", "x4999")) as unknown as ReturnType<typeof made>;
  const last = records.share(made("b", "x4999")) as unknown as ReturnType<typeof made>;
  expect(last.metadata.managedFields[0]?.fieldsV1).toBe(again.metadata.managedFields[0]?.fieldsV1);
});

import { expect, test } from "vitest";
import { RecentMap } from "./recent-map.js";

test("recently used entries are kept, and the least recently used are dropped", () => {
  const map = new RecentMap<number>(10);
  for (let at = 0; at < 100; at++) {
    map.set(`key ${at}`, at);
    expect(map.get("key 0")).toBe(0);
  }
  for (let at = 99; at > 90; at--) expect(map.get(`key ${at}`)).toBe(at);
  expect(map.get("key 50")).toBeUndefined();
});

test("setting a key again replaces its value", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect(map.get("a")).toBe(3);
});

test("a value that grows counts by its weight, also after its use", () => {
  const map = new RecentMap<number[]>(10, (value) => value.length);
  const large = [1, 2, 3];
  map.set("large", large);
  for (let at = 0; at < 5; at++) {
    large.push(at);
    map.grew(1);
  }
  // Eight and one: both are young.
  map.set("small", [1]);
  // The tenth makes them old.
  map.set("next", [1]);
  // Eight young ones again.
  expect(map.get("large")).toBe(large);
  map.set("a", [1]);
  map.set("b", [1]);
  expect(map.get("small")).toBeUndefined();
  expect(map.get("large")).toBe(large);
});

test("a deleted entry is gone, and makes room", () => {
  const map = new RecentMap<number>(3);
  for (const key of ["a", "b"]) map.set(key, 1);
  map.delete("a");
  map.delete("absent");
  expect(map.get("a")).toBeUndefined();
  map.set("c", 1);
  // The third makes them old: none of them is dropped before the sixth.
  map.set("d", 1);
  map.set("e", 1);
  expect(map.get("b")).toBe(1);
});

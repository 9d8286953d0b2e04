import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Method, RequestStep } from "../test-case.js";
import type { FuzzKind } from "./builtin-objects.js";
import type { Chooser } from "./chooser.js";
import { mutated, placesOf, valueAt } from "./mutate.js";
import { anyValue, randomMetadata } from "./random-metadata.js";

const names = ["a", "b", "c"];

/** A random request for objects of a kind; later steps of the case refer to what it captures. */
export function randomStep(choose: Chooser, kind: FuzzKind): RequestStep {
  if (kind.kind === "Deployment" && choose.chance(8)) return scale(choose, kind);
  const make = choose.of([
    ...repeat(5, create),
    ...repeat(4, update),
    ...repeat(2, mergePatch),
    ...repeat(2, jsonPatch),
    ...repeat(2, strategicPatch),
    ...repeat(5, apply),
    get,
    ...repeat(2, list),
    ...repeat(2, remove),
    malformed,
  ]);
  return make(choose, kind);
}

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

/** An object as a user would write it, sometimes with an error. */
function randomObject(choose: Chooser, kind: FuzzKind, name: string, isDry: boolean): JsonObject {
  const object: JsonObject = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: randomMetadata(choose, name, isDry),
    ...kind.content(choose, name),
  };
  return choose.chance(14) ? mutated(choose, object) : object;
}

/** Query options of a write, and whether it is a dry run. */
function writeQuery(choose: Chooser, more: readonly string[] = []): { query: string; isDry: boolean } {
  const options = [...more];
  const isDry = choose.chance(8);
  if (isDry) options.push("dryRun=All");
  if (choose.chance(1)) options.push("dryRun=Some");
  if (choose.chance(25)) options.push(`fieldValidation=${choose.of(["Strict", "Warn", "Ignore", "Odd"])}`);
  if (more.length === 0 && choose.chance(30)) options.push(`fieldManager=${choose.of(["one", "two", "%00"])}`);
  if (choose.chance(1)) options.push(`timeout=${choose.of(["5s", "never"])}`);
  return { query: options.length === 0 ? "" : `?${options.join("&")}`, isDry };
}

function step(method: Method, path: string, rest: Partial<RequestStep> = {}): RequestStep {
  return { kind: "request", method, path, ...rest };
}

/** Captures the newest resourceVersion of the object, and sometimes, under another name, one that becomes outdated. */
function capturing(choose: Chooser, name: string): Pick<RequestStep, "capture"> {
  const capture: Record<string, string> = { [`${name}New`]: "metadata.resourceVersion" };
  if (choose.chance(30)) capture[`${name}Old`] = "metadata.resourceVersion";
  if (choose.chance(30)) capture[`${name}Uid`] = "metadata.uid";
  return { capture };
}

function create(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const { query, isDry } = writeQuery(choose);
  return step("POST", `${kind.path}${query}`, {
    body: randomObject(choose, kind, name, isDry),
    ...(isDry ? {} : capturing(choose, name)),
  });
}

function update(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const { query, isDry } = writeQuery(choose);
  const object = randomObject(choose, kind, name, isDry);
  const version = choose.of(["New", "New", "New", "New", "Old", ""]);
  const metadata = (typeof object["metadata"] === "object" ? object["metadata"] : {}) as JsonObject;
  const body =
    version === "" ? object : { ...object, metadata: { ...metadata, resourceVersion: `{${name}${version}}` } };
  return step("PUT", `${kind.path}/${name}${below(choose, kind)}${query}`, {
    body,
    ...(isDry ? {} : capturing(choose, name)),
  });
}

function below(choose: Chooser, kind: FuzzKind): string {
  if (kind.subresources.length === 0 || !choose.chance(18)) return "";
  return `/${choose.of(kind.subresources)}`;
}

/** Part of an object: some of its fields, some of them set to null. */
function fragment(choose: Chooser, kind: FuzzKind, name: string): JsonObject {
  const { metadata, ...rest } = { metadata: {}, ...kind.content(choose, name) };
  const { name: _, ...meta } = randomMetadata(choose, name, false);
  let part: JsonObject = {
    ...metadata,
    ...(choose.chance(40) ? { metadata: meta } : {}),
    ...(choose.chance(75) ? rest : {}),
  };
  for (let nulls = choose.below(3); nulls > 0; nulls--) {
    const places = placesOf(part);
    if (places.length > 0) part = nulled(part, choose.of(places));
  }
  if (choose.chance(8)) part = mutated(choose, part);
  if (choose.chance(3))
    part = {
      ...part,
      apiVersion: choose.of([kind.apiVersion, "v9", otherVersion(kind)]),
      kind: choose.of([kind.kind, "Odd"]),
    };
  return part;
}

/** A version that the group does not have. */
function otherVersion({ apiVersion }: FuzzKind): string {
  return apiVersion.replace(/[^/]*$/, "v9");
}

function nulled(object: JsonObject, place: readonly string[]): JsonObject {
  const copy = structuredClone(object);
  const holder = valueAt(copy, place.slice(0, -1));
  if (typeof holder === "object" && holder !== null) Object.assign(holder, { [place.at(-1) ?? ""]: null });
  return copy;
}

interface Patch {
  readonly name: string;
  readonly type: string;
  readonly body: JsonValue;
}

function patchStep(choose: Chooser, kind: FuzzKind, { name, type, body }: Patch): RequestStep {
  const { query, isDry } = writeQuery(choose);
  return step("PATCH", `${kind.path}/${name}${below(choose, kind)}${query}`, {
    body,
    headers: { "content-type": type },
    ...(isDry ? {} : capturing(choose, name)),
  });
}

function mergePatch(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const body = fragment(choose, kind, name);
  const version = choose.chance(8) ? { metadata: { resourceVersion: `{${name}${choose.of(["New", "Old"])}}` } } : {};
  return patchStep(choose, kind, { name, type: "application/merge-patch+json", body: { ...body, ...version } });
}

function strategicPatch(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  let body = fragment(choose, kind, name);
  if (kind.isStrategic && choose.chance(15)) {
    const holders = placesOf(body).filter((place) => {
      const value = valueAt(body, place);
      return typeof value === "object" && value !== null && !Array.isArray(value);
    });
    if (holders.length > 0) {
      body = structuredClone(body);
      const holder = valueAt(body, choose.of(holders)) as Record<string, JsonValue>;
      Object.assign(
        holder,
        choose.of<JsonObject>([
          { $patch: "delete" },
          { $patch: "replace" },
          { $patch: "merge" },
          { $patch: "odd" },
          { $retainKeys: Object.keys(holder).slice(0, 1) },
        ]),
      );
    }
  }
  return patchStep(choose, kind, { name, type: "application/strategic-merge-patch+json", body });
}

function jsonPatch(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const object = randomObject(choose, kind, name, false);
  const places = placesOf(object);
  const pointer = (): string => {
    if (choose.chance(5)) return choose.of(["", "/", "bad", "/no/such/place", "/metadata/labels/-", "/~2"]);
    const place = choose.of(places);
    return `/${place.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
  };
  const operations = Array.from({ length: 1 + choose.below(3) }, (): JsonObject => {
    const op = choose.of(["add", "add", "replace", "replace", "remove", "test", "copy", "move", "odd"]);
    const path = pointer();
    const place = path
      .slice(1)
      .split("/")
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (op === "copy" || op === "move") return { op, from: pointer(), path };
    if (op === "remove") return { op, path };
    return { op, path, value: choose.chance(85) ? (valueAt(object, place) ?? "x") : anyValue(choose) };
  });
  return patchStep(choose, kind, { name, type: "application/json-patch+json", body: operations });
}

function apply(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const options = [`fieldManager=${choose.of(["one", "two", "three"])}`];
  if (choose.chance(40)) options.push(`force=${choose.of(["true", "true", "false", "odd"])}`);
  const { query, isDry } = writeQuery(choose, choose.chance(98) ? options : options.slice(1));
  return step("PATCH", `${kind.path}/${name}${below(choose, kind)}${query}`, {
    body: randomObject(choose, kind, name, isDry),
    headers: { "content-type": "application/apply-patch+yaml" },
    ...(isDry ? {} : capturing(choose, name)),
  });
}

const forms = ["PartialObjectMetadata;g=meta.k8s.io;v=v1", "PartialObjectMetadata;g=meta.k8s.io;v=v1beta1"];

function get(choose: Chooser, kind: FuzzKind): RequestStep {
  const query = choose.chance(8) ? `?resourceVersion=${choose.of(["0", "1", "odd", "-1"])}` : "";
  return step("GET", `${kind.path}/${choose.of([...names, "missing"])}${below(choose, kind)}${query}`, {
    ...(choose.chance(10) ? { headers: { accept: `application/json;as=${choose.of(forms)}` } } : {}),
  });
}

function selectors(choose: Chooser, kind: FuzzKind): string[] {
  const options: string[] = [];
  if (choose.chance(45)) options.push(`labelSelector=${encodeURIComponent(choose.of(labelSelectors))}`);
  if (choose.chance(25)) options.push(`fieldSelector=${encodeURIComponent(fieldSelector(choose, kind))}`);
  return options;
}

/** Starts a watch that a later step reads. */
export function randomWatch(choose: Chooser, kind: FuzzKind, name: string): RequestStep {
  const options = [...selectors(choose, kind), "watch=true"];
  if (choose.chance(40)) options.push(`resourceVersion=${choose.of(["0", "{aNew}", "{bNew}"])}`);
  return step("GET", `${kind.path}?${options.join("&")}`, {
    watch: name,
    ...(choose.chance(10)
      ? { headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" } }
      : {}),
  });
}

function list(choose: Chooser, kind: FuzzKind): RequestStep {
  const options = selectors(choose, kind);
  if (choose.chance(35)) options.push(`limit=${choose.of(["1", "2", "500", "0", "-1", "x"])}`);
  if (choose.chance(20)) options.push("continue={continue}");
  if (choose.chance(8)) options.push(`resourceVersion=${choose.of(["0", "{aNew}", "odd"])}`);
  if (choose.chance(5)) options.push(`resourceVersionMatch=${choose.of(["NotOlderThan", "Exact", "Odd"])}`);
  return step("GET", `${kind.path}${options.length === 0 ? "" : `?${options.join("&")}`}`, {
    capture: { continue: "metadata.continue" },
    ...(choose.chance(6)
      ? { headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } }
      : {}),
  });
}

const labelSelectors = [
  ...["app", "!app", "app=web", "app==web", "app!=web", "app in (web,db)", "app notin (web)", "app=web,tier=db"],
  ...["example.com/part", "x_y>0", "x_y<5"],
  // Empty or malformed.
  ...["app in ()", "app=", "", "=", "app in", "a b", "app>x", "-bad", "app=-", ","],
];

function fieldSelector(choose: Chooser, kind: FuzzKind): string {
  const field = choose.of([...kind.fields, "metadata.name", "metadata.uid", "odd"]);
  const value = choose.of(["a", "b", "{ns}", "", "Always", "Opaque"]);
  return choose.of([`${field}=${value}`, `${field}==${value}`, `${field}!=${value}`, field, `${field}=a,${field}!=b`]);
}

function remove(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  if (choose.chance(8)) {
    const query = choose.of([
      "",
      "?labelSelector=app%3Dweb",
      "?dryRun=All",
      "?limit=1",
      "?fieldSelector=metadata.name%3Da",
    ]);
    return step("DELETE", `${kind.path}${query}`);
  }
  const isDry = choose.chance(20);
  const options: [string, JsonValue][] = [];
  const maybe = (percent: number, key: string, make: () => JsonValue): void => {
    if (choose.chance(percent)) options.push([key, make()]);
  };
  maybe(25, "gracePeriodSeconds", () => choose.of([0, 1, 30, -1]));
  maybe(25, "preconditions", () =>
    choose.of<JsonValue>([
      { uid: `{${name}Uid}` },
      { uid: "11111111-2222-3333-4444-555555555555" },
      { resourceVersion: `{${name}New}` },
      { resourceVersion: `{${name}Old}` },
      {},
    ]),
  );
  // Otherwise the garbage collector would act asynchronously.
  maybe(25, "propagationPolicy", () => choose.of(isDry ? ["Foreground", "Orphan", "Background"] : ["Background"]));
  maybe(3, "propagationPolicy", () => "Odd");
  maybe(3, "orphanDependents", () => false);
  maybe(3, "unknown", () => 1);
  if (isDry) options.push(["dryRun", ["All"]]);
  const query = choose.chance(10)
    ? `?${choose.of(["gracePeriodSeconds=0", "propagationPolicy=Background", "dryRun=All", "gracePeriodSeconds=x"])}`
    : "";
  return step("DELETE", `${kind.path}/${name}${query}`, {
    ...(options.length > 0 || choose.chance(20)
      ? {
          body: {
            ...(choose.chance(60) ? { kind: "DeleteOptions", apiVersion: "v1" } : {}),
            ...Object.fromEntries(options),
          },
        }
      : {}),
  });
}

function scale(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const path = `${kind.path}/${name}/scale`;
  const spec = { replicas: choose.of([0, 1, 4, -1]) };
  const version = choose.of(["New", "New", "Old", ""]);
  const metadata = { name, ...(version === "" ? {} : { resourceVersion: `{${name}${version}}` }) };
  const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata, spec };
  switch (choose.below(4)) {
    case 0:
      return step("GET", path);
    case 1:
      return step("PUT", path, { body, ...capturing(choose, name) });
    case 2:
      return step("PATCH", path, { body: { spec }, headers: { "content-type": "application/merge-patch+json" } });
    default:
      return step("PATCH", `${path}?fieldManager=${choose.of(["one", "two"])}&force=${choose.chance(50)}`, {
        body: { ...body, metadata: { name } },
        headers: { "content-type": "application/apply-patch+yaml" },
      });
  }
}

function malformed(choose: Chooser, kind: FuzzKind): RequestStep {
  const name = choose.of(names);
  const object = randomObject(choose, kind, name, false);
  const good = JSON.stringify(object);
  const text = choose.of([
    good.slice(0, choose.below(good.length)),
    `${good}x`,
    `${good}${good}`,
    good.replace("{", '{"kind":"Twice",'),
    good.replace('"metadata":{', '"metadata":{"labels":{"a":"b","a":"c"},'),
    good.replaceAll('"', "'"),
    JSON.stringify({ ...object, kind: choose.of(["Odd", "", "ConfigMap"]) }),
    JSON.stringify({ ...object, apiVersion: choose.of(["v9", "", "a/b/c", "apps/v1", otherVersion(kind)]) }),
    JSON.stringify({ ...object, metadata: choose.of<JsonValue>([null, [], "x", {}]) }),
    JSON.stringify({
      ...object,
      metadata: { name: choose.of(["UPPER", "", "a b", "a/b", "..", "x".repeat(260), "other"]) },
    }),
    "null",
    "[]",
    "1",
    '""',
    "",
    "{}",
  ]);
  const { query } = writeQuery(choose);
  const isNew = choose.chance(50);
  return step(isNew ? "POST" : "PUT", `${kind.path}${isNew ? "" : `/${name}`}${query}`, {
    text,
    headers: { "content-type": choose.of(["application/json", "application/json", "application/json", "text/plain"]) },
    ...capturing(choose, name),
  });
}

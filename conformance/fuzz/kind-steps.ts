import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type RequestStep, remove, type Step, strategicPatch } from "../case.js";
import type { Chooser } from "./chooser.js";
import { valueAt } from "./disturb.js";
import { type Disturbed, Disturber } from "./disturb-kind.js";
import type { GoodKind } from "./good-kind.js";
import { kindSchema } from "./kind-schema.js";
import { type Vocabulary, vocabularyOf } from "./value-maker.js";

/** What the requests of one case have in common. */
interface OneObject {
  readonly kind: GoodKind;
  readonly path: string;
  /** As it was created. */
  readonly first: JsonObject;
  readonly objects: readonly JsonObject[];
  readonly disturber: Disturber;
}

/** Makes requests about disturbed objects of built-in kinds. */
export class KindSteps {
  readonly #kinds: readonly GoodKind[];
  readonly #vocabulary: Vocabulary;

  constructor(kinds: readonly GoodKind[]) {
    this.#kinds = kinds;
    this.#vocabulary = vocabularyOf(kinds.flatMap((kind) => [...kind.objects, ...kind.statuses]));
  }

  /** So many requests about one kind: all of them creates that are only tried, or changes of an object that is there. */
  steps(choose: Chooser, count: number): Step[] {
    const kind = choose.of(this.#kinds);
    const objects = kind.objects.map((object) => named(kind, object));
    const schema = kindSchema(kind.apiVersion, kind.kind);
    const given = { schema, others: objects, vocabulary: this.#vocabulary, seesEmpty: kind.seesEmpty };
    const disturber = new Disturber(choose, given);
    if (kind.isWatched || choose.chance(45))
      return Array.from({ length: count }, () =>
        post(`${kind.path}?dryRun=All`, disturber.disturb(choose.of(objects)).object),
      );
    const first = choose.of(objects);
    const path = `${kind.path}/${String(valueAt(first, ["metadata", "name"]) ?? "")}`;
    const steps: Step[] = [post(kind.path, first, { capture })];
    while (steps.length < count - 2) steps.push(changed(choose, { kind, path, first, objects, disturber }));
    return [...steps, get(path), ...(kind.isProtected ? [] : [remove(path, { propagationPolicy: "Background" })])];
  }
}

/** A change of the object or of its status, by one of the ways that there are. */
function changed(choose: Chooser, { kind, path, first, objects, disturber }: OneObject): RequestStep {
  const isStatus = kind.statuses.length > 0 && choose.chance(20);
  const isDry = kind.isEffective || choose.chance(85);
  const query = isDry ? "?dryRun=All" : "";
  const at = `${path}${isStatus ? "/status" : ""}${query}`;
  const extra = isDry ? {} : { capture };
  const { object, place } = isStatus
    ? inStatus(choose, { ...first, status: choose.of(kind.statuses) }, disturber)
    : disturber.disturb({ ...choose.of([first, first, ...objects]), metadata: first["metadata"] ?? {} });
  switch (choose.below(5)) {
    case 0:
      return mergePatch(at, partAt(object, place), extra);
    case 1:
      return strategicPatch(at, partAt(object, place), extra);
    case 2:
      return apply(`${at}${isDry ? "&" : "?"}fieldManager=${choose.of(["one", "two"])}&force=true`, object, extra);
    default:
      return put(at, withVersion(object), extra);
  }
}

/** Disturbs the status alone, but for a few times. */
function inStatus(choose: Chooser, object: JsonObject, disturber: Disturber): Disturbed {
  for (let attempt = 0; attempt < 30; attempt++) {
    const found = disturber.disturb(object);
    if (found.place[0] === "status" || choose.chance(2)) return found;
  }
  return { object, place: ["status"] };
}

const capture = { version: "metadata.resourceVersion" };

function named(kind: GoodKind, object: JsonObject): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return { apiVersion: kind.apiVersion, kind: kind.kind, ...object, metadata: { name: kind.name, ...metadata } };
}

function withVersion(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return { ...object, metadata: { ...metadata, resourceVersion: "{version}" } };
}

/** The part of an object that leads to a place; lists whole, and null for what is not there. */
function partAt(object: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  if (key === undefined) return object;
  const value = Object.hasOwn(object, key) ? (object[key] ?? null) : null;
  return { [key]: rest.length > 0 && isJsonObject(value) ? partAt(value, rest) : value };
}

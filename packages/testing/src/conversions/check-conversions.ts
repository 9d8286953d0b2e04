import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { crdOf, type Kind } from "kubewright";
import { checkLocally, convertObject } from "kubewright/crd";
import type { WithDefinition } from "kubewright/types";
import { randomValue, seededRandom } from "../random/index.js";

/** How many objects are converted, and which. */
export interface ConversionCheckOptions {
  /** Seed of the random objects. @default 1 */
  readonly seed?: number;
  /** Number of random objects per pair of versions. @default 100 */
  readonly objects?: number;
}

/** The result of {@link checkConversions}. */
export interface ConversionReport {
  /** Number of objects that were converted to another version and back. */
  readonly tried: number;
  /** Violations, each with the object that shows it; at most twenty. Empty when the conversions are correct. */
  readonly problems: readonly string[];
}

const maxProblems = 20;

/**
 * Checks the conversion functions of a resource with random objects that fit its schemas, from each version to each other.
 *
 * Checked: the result of a conversion is valid in its version; a round trip through another version returns the same object, unless the
 * conversion is `lossy`; and an object written in one version is read unchanged in it, whatever annotation another version had kept. CEL rules are
 * not evaluated: the functions may get objects that an API server would reject.
 *
 * @example
 * expect(checkConversions(Website).problems).toEqual([]);
 */
export function checkConversions(
  resource: Kind & WithDefinition,
  options: ConversionCheckOptions = {},
): ConversionReport {
  const { seed = 1, objects = 100 } = options;
  const schemas = crdOf(resource).spec.versions.map(({ name, schema }) => [name, schema.openAPIV3Schema] as const);
  const random = seededRandom(seed);
  const trial = new Trial(resource);
  for (const [from, schema] of schemas)
    for (const [to, otherSchema] of schemas)
      for (let count = 0; from !== to && count < objects; count++) {
        const one = randomObject(resource, from, schema, random);
        const other = randomObject(resource, to, otherSchema, random);
        if (one && other && trial.problems.length < maxProblems) trial.run(one, other, from, to);
      }
  return { tried: trial.tried, problems: trial.problems };
}

class Trial {
  readonly problems: string[] = [];
  tried = 0;
  readonly #resource: Kind & WithDefinition;

  constructor(resource: Kind & WithDefinition) {
    this.#resource = resource;
  }

  run(object: JsonObject, other: JsonObject, from: string, to: string): void {
    this.tried++;
    const fail = (what: string, ...shown: readonly unknown[]): void => {
      this.problems.push(`${from} to ${to}: ${what}: ${shown.map((value) => JSON.stringify(value)).join(" ")}`);
    };
    try {
      const converted = convertObject(this.#resource, object, to);
      const { errors } = checkLocally(kindOf(this.#resource, to), converted);
      if (errors.length > 0) fail(`the result is invalid (${errors.join("; ")})`, object, converted);
      const back = convertObject(this.#resource, converted, from);
      if (!this.#isLossy(from, to) && !deepEqual(back, object)) fail("a round trip changes the object", object, back);
      // An update by a client that knows the other version only: it replaces everything but the metadata.
      const written = { ...other, metadata: converted["metadata"] ?? {} };
      const read = convertObject(this.#resource, convertObject(this.#resource, written, from), to);
      if (!this.#isLossy(from, to) && !deepEqual(withoutMetadata(read), withoutMetadata(written)))
        fail(`an object written in ${to} is read with changes`, written, read);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), object);
    }
  }

  #isLossy(...versions: readonly string[]): boolean {
    return versions.some((version) => this.#resource.definition.conversions?.[version]?.lossy === true);
  }
}

/** A valid object with defaults; undefined when ten attempts find none. */
function randomObject(
  resource: Kind & WithDefinition,
  version: string,
  schema: Schema,
  random: () => number,
): JsonObject | undefined {
  const { group, kind, scope } = resource.definition;
  for (let attempt = 0; attempt < 10; attempt++) {
    const body = randomValue(schema, random);
    const metadata = { name: "a", ...(scope === "Namespaced" && { namespace: "b" }) };
    const whole = { ...(isJsonObject(body) ? body : {}), apiVersion: `${group}/${version}`, kind, metadata };
    const { object, errors } = checkLocally(kindOf(resource, version), whole);
    if (errors.length === 0) return object;
  }
  return undefined;
}

function kindOf(resource: Kind & WithDefinition, version: string): Kind {
  return { ...resource, version };
}

function withoutMetadata({ metadata: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

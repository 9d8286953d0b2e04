import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { crdOf, type Kind } from "kubewright";
import { checkLocally, convertObject } from "kubewright/crd";
import type { WithDefinition } from "kubewright/types";
import { randomValue, seededRandom } from "../random/index.js";

/** How much is tried. */
export interface ConversionCheckOptions {
  /** The same seed tries the same objects. @default 1 */
  readonly seed?: number;
  /** Random objects of each version. @default 100 */
  readonly objects?: number;
}

/** What came out of trying conversions. */
export interface ConversionReport {
  /** How many objects were converted to another version and back. */
  readonly tried: number;
  /** What does not hold, with the object that shows it; empty when everything does. At most twenty are told. */
  readonly problems: readonly string[];
}

const maxProblems = 20;

/**
 * Tries the conversion functions of a resource with random objects out of its schemas, from each version to each other.
 *
 * What must hold: a conversion gives what the schema of its version accepts; an object that goes to another version and back is as it was,
 * unless the conversion is `lossy`; and what is written in one version is read again in it, whatever another version had kept. Rules in CEL are not
 * looked at: functions may get objects that a server would refuse for those.
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
      if (errors.length > 0) fail(`it gives what is refused (${errors.join("; ")})`, object, converted);
      const back = convertObject(this.#resource, converted, from);
      if (!this.#isLossy(from, to) && !deepEqual(back, object)) fail("it does not come back as it was", object, back);
      // As somebody who knows the other version only writes everything anew, and keeps the metadata.
      const written = { ...other, metadata: converted["metadata"] ?? {} };
      const read = convertObject(this.#resource, convertObject(this.#resource, written, from), to);
      if (!this.#isLossy(from, to) && !deepEqual(withoutMetadata(read), withoutMetadata(written)))
        fail("what is written there is not read again", written, read);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), object);
    }
  }

  #isLossy(...versions: readonly string[]): boolean {
    return versions.some((version) => this.#resource.definition.conversions?.[version]?.lossy === true);
  }
}

/** One that the schema of its version accepts, with defaults; undefined when chance does not find one. */
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

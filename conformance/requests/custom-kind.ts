import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { type Extra, mergePatch, post, type RequestStep, type Step, waitFor } from "../test-case.js";
import {
  define,
  definition,
  definitions,
  size,
  specSchema,
  version,
  widget,
  widgetDefinition,
  widgets,
} from "./sample-objects.js";

/** Defines Widget with one version whose spec has these properties; `rest` adds to the version, `spec` to the CRD. */
export function defineSpec(properties: JsonObject, rest: JsonObject = {}, spec: JsonObject = {}): Step[] {
  return define(specSchema(properties), rest, spec);
}

/** Defines Widget with one version whose spec has `size` and `color`. */
export function defineWidget(rest: JsonObject = {}, spec: JsonObject = {}): Step[] {
  return defineSpec(size, rest, spec);
}

/** A version of Widget whose spec has `size` and `color`. */
export function widgetVersion(name: string, rest: JsonObject = {}): JsonObject {
  return version(name, specSchema(size), rest);
}

/** Defines Widget with these versions, and waits until the served ones are served. */
export function defineVersions(versions: readonly JsonObject[], spec: JsonObject = {}): Step[] {
  const served = versions.filter((version) => version["served"] !== false);
  return [
    { ...post(definitions, widgetDefinition([...versions], spec)), silent: true },
    ...served.map(({ name }) => waitFor(`/apis/{group}/${String(name)}/widgets`)),
  ];
}

/** A merge patch that replaces the versions of Widget. */
export function changeVersions(versions: JsonValue, extra: Extra = {}): RequestStep {
  return mergePatch(definition, { spec: { versions } }, extra);
}

/** A merge patch that replaces the properties of the spec in the only version of Widget. */
export function changeSpec(properties: JsonObject, extra: Extra = {}): RequestStep {
  return changeVersions([version("v1", specSchema(properties))], extra);
}

/** Creates the Widget `a` with each of these specs. */
export function postSpecs(...specs: readonly JsonValue[]): RequestStep[] {
  return specs.map((spec) => post(widgets, widget("a", { spec })));
}

import { goQuote, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../registry/index.js";

/** A pod, or the template of one. */
export interface CheckedPod {
  /** The annotations of the pod. */
  readonly annotations: JsonObject;
  readonly spec: JsonObject;
  /** Init containers first, ephemeral ones last. */
  readonly containers: readonly JsonObject[];
}

/** Why a pod violates a policy. */
export interface Violation {
  /** A short reason, for lists of pods. */
  readonly reason: string;
  /** The values that are not allowed. */
  readonly detail: string;
}

/** One check of a Pod Security Standard in one or more versions. */
export interface Check {
  readonly id: string;
  /** By the minor version from which they apply, ascending. */
  readonly versions: readonly (readonly [fromMinor: number, check: (pod: CheckedPod) => Violation | undefined])[];
  /** The baseline check that this restricted one replaces. */
  readonly overrides?: string;
}

/** The pod of an object's metadata and spec. */
export function checkedPod(metadata: JsonObject, spec: JsonObject): CheckedPod {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap(
    (list) => listAt(spec, list) as readonly JsonObject[],
  );
  return { annotations: objectAt(metadata, "annotations"), spec, containers };
}

/** The securityContext of a pod spec or a container. */
export function securityOf(part: JsonObject): JsonObject {
  return objectAt(part, "securityContext");
}

export function nameOf(part: JsonObject): string {
  return textAt(part, "name");
}

/** Each value once, sorted, as Go's sets list them. */
export function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** The values in double quotes, which are not escaped. */
export function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(", ");
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** `container "a"`, or `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural("container", names.length)} ${quoted(names)}`;
}

/** What sets a value: `pod`, containers, or both. */
export function settersText(isSetByPod: boolean, containers: readonly string[]): string {
  return [...(isSetByPod ? ["pod"] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(" and ");
}

/** An annotation with its value. */
export function annotationText(key: string, value: JsonValue | undefined): string {
  return `${key}=${goQuote(String(value))}`;
}

/** The names of the containers that match. */
export function namesWhere({ containers }: CheckedPod, matches: (container: JsonObject) => boolean): string[] {
  return containers.filter(matches).map(nameOf);
}

/** Whether the pod has a user namespace of its own, which relaxes checks since 1.35. */
export function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec["hostUsers"] === false;
}

export function isWindows({ spec }: CheckedPod): boolean {
  return textAt(objectAt(spec, "os"), "name") === "windows";
}

import { formatApiVersion } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import type { Labels } from "@kubewright/core/selector";
import {
  type AdmissionRequest,
  metadataOf,
  objectAt,
  type Registry,
  type Resource,
  textAt,
} from "../../registry/index.js";
import { namespaceOfRequest } from "../matching/index.js";
import type { Binding, Policy } from "./policy.js";

/** Why a policy or a binding cannot be used. */
export class ConfigurationProblem extends Error {
  override readonly name = "ConfigurationProblem";
}

/** The resource of a policy's parameters; undefined for a policy without. Throws {@link ConfigurationProblem} if it is not served. */
export function paramResource({ paramKind }: Policy, registry: Registry): Resource | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion = "", kind = "" } = paramKind;
  const found = registry
    .resources()
    .find((one) => one.kind === kind && formatApiVersion(one.group, one.version) === apiVersion);
  if (found) return found;
  const group = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  throw new ConfigurationProblem(`failed to find resource referenced by paramKind: '${group}, Kind=${kind}'`);
}

/**
 * The parameters with which a binding applies a policy: one evaluation for each. Undefined is an evaluation without parameters. Throws
 * {@link ConfigurationProblem}.
 */
export function collectParams(
  { params: reference }: Binding,
  resource: Resource | undefined,
  request: AdmissionRequest,
  registry: Registry,
): readonly (JsonObject | undefined)[] {
  if (resource === undefined || reference === undefined) return [undefined];
  const { name, selector, isRequired } = reference;
  const namespace = resource.namespaced ? reference.namespace || namespaceOfRequest(request) : "";
  if (resource.namespaced && namespace === "") {
    throw new ConfigurationProblem(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  }
  if (!resource.namespaced && reference.namespace !== "") {
    throw new ConfigurationProblem("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const isChosen = (object: JsonObject): boolean => {
    const metadata = metadataOf(object);
    if (textAt(metadata, "namespace") !== namespace) return false;
    if (selector === undefined) return textAt(metadata, "name") === name;
    return selector.matches(objectAt(metadata, "labels") as Labels);
  };
  const found = registry.store
    .bucket(resource.bucket)
    .list()
    .filter(({ object }) => isChosen(object))
    .map(({ object }) => resource.fromStored(object));
  if (found.length === 0 && isRequired) {
    throw new ConfigurationProblem("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found;
}

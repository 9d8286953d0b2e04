import { atomicPaths, checkTyped, mergeConfiguration, typedMessage } from "@kubewright/core/apply";
import { type CelValue, jsonOf, structsIn, typeNameProblems, UnusableValue } from "@kubewright/core/cel";
import { isOperatorError } from "@kubewright/core/errors";
import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { applyJsonPatch } from "@kubewright/core/patch";
import { mergeSchemaOf, type Resource } from "../../registry/index.js";

/** Why a mutation cannot be applied. */
export class MutationProblem extends Error {
  override readonly name = "MutationProblem";
}

/** Applies what the expression of a mutation returned. Does not modify the object. Throws {@link MutationProblem}. */
export function applyMutation(patchType: string, value: CelValue, object: JsonObject, resource: Resource): JsonObject {
  try {
    return patchType === "JSONPatch" ? applyPatch(value, object) : applyConfiguration(value, object, resource);
  } catch (error) {
    if (error instanceof UnusableValue) throw new MutationProblem(error.message);
    throw error;
  }
}

function applyConfiguration(value: CelValue, object: JsonObject, resource: Resource): JsonObject {
  const mismatches = typeNameProblems(value);
  if (mismatches.length > 0) throw new MutationProblem(`type mismatch: ${mismatches.join("\n")}`);
  const { apiVersion = "", kind = "" } = object;
  const config: JsonObject = { ...(jsonOf(value) as JsonObject), apiVersion, kind };
  // The objects of subresources with a kind of their own have no schema here.
  const schema = kind === resource.kind ? mergeSchemaOf(resource) : undefined;
  const keepOpaqueObjects = resource.origin === "builtin";
  const problems = schema === undefined ? [] : checkTyped(config, schema, { keepOpaqueObjects });
  if (problems.length > 0) throw failed(`failed to convert patch object to typed object: ${typedMessage(problems)}`);
  const atomics = atomicPaths(config, schema);
  if (atomics.length > 0) {
    throw failed(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`);
  }
  // What the client sent is validated only after the mutation.
  const sent = schema === undefined ? [] : checkTyped(object, schema, { keepOpaqueObjects, allowDuplicates: true });
  if (sent.length > 0) throw failed(`failed to convert original object to typed object: ${typedMessage(sent)}`);
  try {
    return mergeConfiguration(object, config, schema);
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    throw failed(`failed to merge patch: ${error.message}`);
  }
}

function failed(why: string): MutationProblem {
  return new MutationProblem(`error applying patch: ${why}`);
}

function applyPatch(value: CelValue, object: JsonObject): JsonObject {
  const operations = operationsOf(value);
  try {
    return applyJsonPatch(object, operations) as JsonObject;
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    // A test that fails skips the patch.
    if (operations.some(({ op }) => op === "test") && /test/i.test(error.message)) return object;
    throw new MutationProblem(`JSON Patch: ${error.message}`);
  }
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

function operationsOf(value: CelValue): readonly Operation[] {
  return structsIn(value).map((fields) => {
    const from = fields.get("from");
    const operand = fields.get("value");
    if (operand !== undefined) {
      const mismatches = typeNameProblems(operand);
      if (mismatches.length > 0) throw new MutationProblem(`type mismatch: ${mismatches.join("\n")}`);
    }
    return {
      op: String(fields.get("op") ?? ""),
      path: String(fields.get("path") ?? ""),
      ...(typeof from === "string" && from !== "" ? { from } : {}),
      ...(operand === undefined ? {} : { value: jsonOf(operand) }),
    };
  });
}

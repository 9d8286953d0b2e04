import type { StructDecl } from "../check/environment.js";
import { type CelType, dynType, stringType, structType } from "../types/cel-type.js";

/** The root of the types that the apply configurations of a MutatingAdmissionPolicy are made of: `Object`, `Object.spec` and so on. */
const objectName = "Object";
const jsonPatchName = "JSONPatch";

/** The type of an apply configuration. */
export const applyConfigurationType: CelType = structType(objectName);
/** The type of one operation of a JSON patch. */
export const jsonPatchType: CelType = structType(jsonPatchName);

function isObjectName(name: string): boolean {
  return name === objectName || name.startsWith(`${objectName}.`);
}

/** Any field, of any type: objects of patches are not checked against a schema. */
class AnyFields extends Map<string, CelType> {
  override get(_field: string): CelType {
    return dynType;
  }
}

const anyFields: StructDecl = { fields: new AnyFields() };
const operation: StructDecl = {
  fields: new Map<string, CelType>([
    ["op", stringType],
    ["path", stringType],
    ["from", stringType],
    ["value", dynType],
  ]),
};

/** Names of types, and with them every name that starts with `Object`. */
export class PatchTypes extends Map<string, CelType> {
  override get(name: string): CelType | undefined {
    if (isObjectName(name)) return structType(name);
    return name === jsonPatchName ? jsonPatchType : super.get(name);
  }
}

/** The fields of types, and with them those of every type whose name starts with `Object`. */
export class PatchStructs extends Map<string, StructDecl> {
  override get(name: string): StructDecl | undefined {
    if (isObjectName(name)) return anyFields;
    return name === jsonPatchName ? operation : super.get(name);
  }
}

import { type CelType, dynType, isDyn, isDynOrError, sameType } from "./cel-type.js";

/** What type parameters stand for, by their names. */
export type Substitutions = ReadonlyMap<string, CelType>;

/**
 * Whether values of `from` may be used where `to` is expected, given what is known of type parameters. Returns what is known afterwards,
 * or undefined when they may not.
 */
export function assign(
  known: Substitutions,
  pairs: readonly (readonly [CelType, CelType])[],
): Substitutions | undefined {
  const attempt = new Map(known);
  return pairs.every(([to, from]) => isAssignable(attempt, to, from)) ? attempt : undefined;
}

/** The type with its parameters replaced. Those that stand for nothing become dyn when `toDyn` is set. */
export function substitute(known: Substitutions, type: CelType, toDyn: boolean): CelType {
  if (type.kind === "param") {
    const replaced = known.get(type.name);
    if (replaced !== undefined) return substitute(known, replaced, toDyn);
    return toDyn ? dynType : type;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => substitute(known, param, toDyn)) };
}

/** The less specific of two types. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  return isEqualOrLessSpecific(left, right) ? left : right;
}

function isEqualOrLessSpecific(left: CelType, right: CelType): boolean {
  if (isDyn(left) || left.kind === "param") return true;
  if (isDyn(right) || right.kind === "param") return false;
  if (left.kind !== right.kind) return false;
  if (left.kind === "type") return true;
  if (left.name !== right.name || left.params.length !== right.params.length) return false;
  return left.params.every((param, index) => isEqualOrLessSpecific(param, right.params[index] as CelType));
}

function isAssignable(known: Map<string, CelType>, left: CelType, right: CelType): boolean {
  if (right.kind === "param") {
    const found = substitutes(known, left, right);
    if (found.valid) return true;
    if (found.known) return false;
  }
  if (left.kind === "param") return substitutes(known, right, left).valid;
  if (isDynOrError(left) || isDynOrError(right)) return true;
  if (left.kind === "null" || right.kind === "null")
    return left.kind === right.kind || isNullable(left) || isNullable(right);
  if (left.kind !== right.kind) return false;
  if (left.kind === "type") return true;
  if (left.name !== right.name || left.params.length !== right.params.length) return false;
  return left.params.every((param, index) => isAssignable(known, param, right.params[index] as CelType));
}

function isNullable(type: CelType): boolean {
  return ["opaque", "struct", "duration", "timestamp"].includes(type.kind);
}

/** Whether a parameter may stand for `type`, and whether it stood for something before. */
function substitutes(known: Map<string, CelType>, type: CelType, param: CelType): { valid: boolean; known: boolean } {
  if (sameType(type, param)) return { valid: true, known: true };
  const current = known.get(param.name);
  if (current === undefined) {
    const valid = isFreeOf(known, param, type);
    if (valid) known.set(param.name, type);
    return { valid, known: false };
  }
  if (sameType(type, current)) return { valid: true, known: true };
  if (!isAssignable(known, type, current)) return { valid: false, known: true };
  const general = mostGeneral(type, current);
  if (isFreeOf(known, param, general)) known.set(param.name, general);
  return { valid: true, known: true };
}

/** Whether a parameter does not occur inside a type: it cannot stand for something that holds itself. */
function isFreeOf(known: Substitutions, param: CelType, type: CelType): boolean {
  if (sameType(param, type)) return false;
  if (type.kind === "param") {
    const current = known.get(type.name);
    return current === undefined || isFreeOf(known, param, current);
  }
  return type.params.every((inner) => isFreeOf(known, param, inner));
}

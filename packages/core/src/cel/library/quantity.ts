import { OperatorError } from "../../errors/index.js";
import { Quantity } from "../../quantity/index.js";
import { type CallCost, member, overload } from "../check/overload.js";
import { type EstimateCall, scale } from "../cost/estimate.js";
import { boolType, type CelType, doubleType, intType, stringType, structType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { double, type IntValue, intFromBigInt, maxInt, minInt } from "../values/number.js";
import { stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, OpaqueValue } from "../values/value.js";
import { work } from "../values/work.js";
import type { Library } from "./library.js";

const quantityType: TypeOf<QuantityValue> = structType("kubernetes.Quantity");

class QuantityValue extends OpaqueValue {
  readonly type: CelType = quantityType;
  readonly quantity: Quantity;
  /** Grows with the number of digits. */
  override readonly bulk: number;

  constructor(quantity: Quantity, bulk: number) {
    super();
    this.quantity = quantity;
    this.bulk = bulk;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && other.quantity.equals(this.quantity);
  }

  override toString(): string {
    return this.quantity.toString();
  }
}

function parse(text: string): Quantity | string {
  work(2_500);
  // BigInt takes a time that grows faster than the number of digits.
  if (text.length > 1_000) work(text.length * Math.sqrt(text.length));
  try {
    return Quantity.parse(text);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

function toQuantity(text: string): QuantityValue {
  const parsed = parse(text);
  if (typeof parsed === "string") throw new EvalFailure(parsed);
  return new QuantityValue(parsed, 20 + text.length);
}

/** Undefined for a fraction, or what an int cannot hold. */
function integerOf({ quantity }: QuantityValue): IntValue | undefined {
  const units = quantity.toUnits();
  if (!Quantity.of(units).equals(quantity) || units < minInt || units > maxInt) return undefined;
  return intFromBigInt(units);
}

function toInteger(value: QuantityValue): IntValue {
  const integer = integerOf(value);
  if (integer === undefined) throw new EvalFailure("cannot convert value to integer");
  return integer;
}

/** The cost of parsing a string, for all functions that do only that. */
export const parseCost: CallCost = ([text]) => traversal(text as CelValue);
export const estimateParse: EstimateCall = ({ args: [text], sizeOf }) =>
  text === undefined ? undefined : { cost: scale(sizeOf(text), stringFactor) };

const two = [quantityType, quantityType] as [typeof quantityType, typeof quantityType];
const withInt = [quantityType, intType] as [typeof quantityType, typeof intType];
const sum = (a: QuantityValue, b: QuantityValue): QuantityValue =>
  new QuantityValue(a.quantity.add(b.quantity), Math.max(a.bulk, b.bulk));
const difference = (a: QuantityValue, b: QuantityValue): QuantityValue =>
  new QuantityValue(a.quantity.subtract(b.quantity), Math.max(a.bulk, b.bulk));
const ofInt = (units: IntValue): QuantityValue => new QuantityValue(Quantity.of(units, "DecimalExponent"), 20);

/** Quantities of resources, since 1.28. */
export const quantityLibrary: Library = {
  name: "quantity",
  since: 28,
  functions: [
    {
      name: "quantity",
      overloads: [overload("string_to_quantity", [stringType], quantityType, toQuantity)],
      cost: parseCost,
      estimate: estimateParse,
    },
    {
      name: "isQuantity",
      overloads: [overload("is_quantity_string", [stringType], boolType, (text) => typeof parse(text) !== "string")],
      cost: parseCost,
      estimate: estimateParse,
    },
    // A function, not a method: so it is declared in Kubernetes.
    { name: "sign", overloads: [overload("quantity_sign", [quantityType], intType, ({ quantity }) => quantity.sign)] },
    {
      name: "isGreaterThan",
      overloads: [member("quantity_is_greater_than", two, boolType, (a, b) => a.quantity.compare(b.quantity) > 0)],
    },
    {
      name: "isLessThan",
      overloads: [member("quantity_is_less_than", two, boolType, (a, b) => a.quantity.compare(b.quantity) < 0)],
    },
    {
      name: "compareTo",
      overloads: [member("quantity_compare_to", two, intType, (a, b) => a.quantity.compare(b.quantity))],
    },
    {
      name: "asApproximateFloat",
      overloads: [
        member("quantity_get_float", [quantityType], doubleType, ({ quantity }) => double(quantity.toNumber())),
      ],
    },
    { name: "asInteger", overloads: [member("quantity_get_int", [quantityType], intType, toInteger)] },
    {
      name: "isInteger",
      overloads: [member("quantity_is_integer", [quantityType], boolType, (value) => integerOf(value) !== undefined)],
    },
    {
      name: "add",
      overloads: [
        member("quantity_add", two, quantityType, sum),
        member("quantity_add_int", withInt, quantityType, (a, b) => sum(a, ofInt(b))),
      ],
    },
    {
      name: "sub",
      overloads: [
        member("quantity_sub", two, quantityType, difference),
        member("quantity_sub_int", withInt, quantityType, (a, b) => difference(a, ofInt(b))),
      ],
    },
  ],
};

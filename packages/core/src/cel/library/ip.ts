import { type CallCost, type FunctionDecl, member, overload } from "../check/overload.js";
import { scale } from "../cost/estimate.js";
import { boolType, type CelType, intType, opaqueType, stringType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { costSize, stringFactor } from "../values/sizes.js";
import { type CelValue, OpaqueValue } from "../values/value.js";
import { work } from "../values/work.js";
import { type Address, AddressProblem, addressTests, formatAddress, parseAddress, widthOf } from "./address.js";
import type { Library } from "./library.js";
import { estimateParse, parseCost } from "./quantity.js";

export const ipType: TypeOf<IpValue> = opaqueType("net.IP");

export class IpValue extends OpaqueValue {
  readonly type: CelType = ipType;
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: OpaqueValue): boolean {
    return (
      other instanceof IpValue &&
      other.address.family === this.address.family &&
      other.address.bits === this.address.bits
    );
  }

  override get costSize(): number {
    return widthOf(this.address) / 8;
  }

  override toString(): string {
    return formatAddress(this.address);
  }
}

/** What `parse` gives, or the failure of an evaluation with its message. */
export function parsed<T>(parse: () => T, prefix = ""): T {
  work(2_000);
  try {
    return parse();
  } catch (error) {
    if (error instanceof AddressProblem) throw new EvalFailure(prefix + error.message);
    throw error;
  }
}

export function isParsed(parse: () => unknown): boolean {
  work(2_000);
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof AddressProblem) return false;
    throw error;
  }
}

export function toIp(text: string): IpValue {
  return new IpValue(parsed(() => parseAddress(text)));
}

const twiceCost: CallCost = ([text]) => Math.ceil(costSize(text as CelValue) * 2 * stringFactor);

const tests: readonly (readonly [keyof typeof addressTests, string])[] = [
  ["isUnspecified", "ip_is_unspecified"],
  ["isLoopback", "ip_is_loopback"],
  ["isLinkLocalMulticast", "ip_is_link_local_multicast"],
  ["isLinkLocalUnicast", "ip_is_link_local_unicast"],
  ["isGlobalUnicast", "ip_is_global_unicast"],
];

/** IP addresses, since 1.30. */
export const ipLibrary: Library = {
  name: "ip",
  since: 30,
  types: [ipType],
  functions: [
    {
      name: "ip",
      overloads: [
        { ...overload("string_to_ip", [stringType], ipType, toIp), cost: parseCost, estimate: estimateParse },
      ],
    },
    {
      name: "family",
      overloads: [member("ip_family", [ipType], intType, ({ address }) => address.family)],
    },
    {
      name: "ip.isCanonical",
      overloads: [overload("ip_is_canonical", [stringType], boolType, (text) => toIp(text).toString() === text)],
      cost: twiceCost,
      estimate: ({ args: [text], sizeOf }) =>
        text === undefined ? undefined : { cost: scale(sizeOf(text), 2 * stringFactor) },
    },
    ...tests.map(
      ([name, id]): FunctionDecl => ({
        name,
        overloads: [member(id, [ipType], boolType, ({ address }) => addressTests[name](address))],
      }),
    ),
    {
      name: "isIP",
      overloads: [overload("is_ip", [stringType], boolType, (text) => isParsed(() => parseAddress(text)))],
      cost: parseCost,
      estimate: estimateParse,
    },
    { name: "string", overloads: [overload("ip_to_string", [ipType], stringType, String)] },
  ],
};

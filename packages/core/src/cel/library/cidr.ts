import { type CallCost, member, overload } from "../check/overload.js";
import { add, type EstimateCall, fixed, scale } from "../cost/estimate.js";
import { boolType, type CelType, intType, opaqueType, stringType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure, noSuchOverload } from "../values/eval-failure.js";
import { costSize, stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, OpaqueValue } from "../values/value.js";
import { contains, formatAddress, masked, type Prefix, parsePrefix } from "./address.js";
import { IpValue, ipType, isParsed, parsed, toIp } from "./ip.js";
import type { Library } from "./library.js";
import { estimateParse, parseCost } from "./quantity.js";

const cidrType: TypeOf<CidrValue> = opaqueType("net.CIDR");

class CidrValue extends OpaqueValue {
  readonly type: CelType = cidrType;
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof CidrValue && other.toString() === this.toString();
  }

  override get costSize(): number {
    return Math.ceil(this.prefix.length / 8);
  }

  override toString(): string {
    return `${formatAddress(this.prefix.address)}/${this.prefix.length}`;
  }
}

function toCidr(text: string): CidrValue {
  return new CidrValue(parsed(() => parsePrefix(text), "network address parse error during conversion from string: "));
}

/** As in Kubernetes, a string that is no address is an argument of a wrong type. */
function containsText({ prefix }: CidrValue, text: string): boolean {
  let address: IpValue;
  try {
    address = toIp(text);
  } catch (error) {
    throw error instanceof EvalFailure ? noSuchOverload() : error;
  }
  return contains(prefix, address.address);
}

function containsCidr({ prefix }: CidrValue, { prefix: inner }: CidrValue): boolean {
  return prefix.length <= inner.length && contains(prefix, inner.address);
}

/** Comparing the bits of a network and of what may be inside; a string is parsed first. */
function containsCost(isNetwork: boolean, isText: boolean): CallCost {
  return ([cidr, other]) => {
    const size = costSize(cidr as CelValue);
    const masking = isNetwork ? Math.ceil(size * stringFactor) + 1 : 0;
    return Math.ceil(2 * size * stringFactor) + masking + (isText ? traversal(other as CelValue) : 0);
  };
}

function estimateContains(isNetwork: boolean, isText: boolean): EstimateCall {
  return ({ args: [other], sizeOf }) => {
    if (other === undefined) return undefined;
    let cost = scale({ min: 8, max: 32 }, stringFactor);
    if (isNetwork) cost = add(add(cost, scale({ min: 4, max: 16 }, stringFactor)), fixed(1));
    return { cost: isText ? add(cost, scale(sizeOf(other), stringFactor)) : cost };
  };
}

function costs(isNetwork: boolean, isText: boolean): { readonly cost: CallCost; readonly estimate: EstimateCall } {
  return { cost: containsCost(isNetwork, isText), estimate: estimateContains(isNetwork, isText) };
}

/** Networks, since 1.30. */
export const cidrLibrary: Library = {
  name: "cidr",
  since: 30,
  types: [cidrType],
  functions: [
    {
      name: "cidr",
      overloads: [overload("string_to_cidr", [stringType], cidrType, toCidr)],
      cost: parseCost,
      estimate: estimateParse,
    },
    {
      name: "containsIP",
      overloads: [
        {
          ...member("cidr_contains_ip_string", [cidrType, stringType], boolType, containsText),
          ...costs(false, true),
        },
        {
          ...member("cidr_contains_ip_ip", [cidrType, ipType], boolType, ({ prefix }, { address }) =>
            contains(prefix, address),
          ),
          ...costs(false, false),
        },
      ],
    },
    {
      name: "containsCIDR",
      overloads: [
        {
          ...member("cidr_contains_cidr_string", [cidrType, stringType], boolType, (cidr, text) =>
            containsCidr(cidr, toCidr(text)),
          ),
          ...costs(true, true),
        },
        { ...member("cidr_contains_cidr", [cidrType, cidrType], boolType, containsCidr), ...costs(true, false) },
      ],
    },
    { name: "ip", overloads: [member("cidr_ip", [cidrType], ipType, ({ prefix }) => new IpValue(prefix.address))] },
    {
      name: "prefixLength",
      overloads: [member("cidr_prefix_length", [cidrType], intType, ({ prefix }) => prefix.length)],
    },
    {
      name: "masked",
      overloads: [member("cidr_masked", [cidrType], cidrType, ({ prefix }) => new CidrValue(masked(prefix)))],
    },
    {
      name: "isCIDR",
      overloads: [overload("is_cidr", [stringType], boolType, (text) => isParsed(() => parsePrefix(text)))],
      cost: parseCost,
      estimate: estimateParse,
    },
    { name: "string", overloads: [overload("cidr_to_string", [cidrType], stringType, String)] },
  ],
};

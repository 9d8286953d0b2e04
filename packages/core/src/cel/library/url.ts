import { type CallCost, type FunctionDecl, member, overload } from "../check/overload.js";
import { type EstimateCall, scale } from "../cost/estimate.js";
import { boolType, type CelType, listType, mapType, stringType, structType, type TypeOf } from "../types/cel-type.js";
import { EvalFailure } from "../values/eval-failure.js";
import { LiteralMap } from "../values/literal-map.js";
import { stringFactor, traversal } from "../values/sizes.js";
import { type CelValue, ListValue, OpaqueValue } from "../values/value.js";
import { type GoUrl, hostnameOf, parseRequestUri, parseUrl, portOf, queryOf, UrlProblem } from "./go-url.js";
import type { Library } from "./library.js";

const urlType: TypeOf<UrlValue> = structType("kubernetes.URL");

class UrlValue extends OpaqueValue {
  readonly type: CelType = urlType;
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.url.text === this.url.text;
  }
}

function attempt<T>(parse: () => T): T | UrlProblem {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UrlProblem) return error;
    throw error;
  }
}

function toUrl(text: string): UrlValue {
  const parsed = attempt(() => {
    parseRequestUri(text);
    return parseUrl(text);
  });
  if (!(parsed instanceof UrlProblem)) return new UrlValue(parsed);
  throw new EvalFailure(`URL parse error during conversion from string: ${parsed.message}`);
}

/** Whether a string is an absolute URI or an absolute path, and if not, why. */
export function uriProblem(text: string): string | undefined {
  const parsed = attempt(() => parseRequestUri(text));
  return parsed instanceof UrlProblem ? parsed.message : undefined;
}

const walkCost: CallCost = ([text]) => traversal(text as CelValue);
const estimateWalk: EstimateCall = ({ args: [text], sizeOf }) => {
  if (text === undefined) return undefined;
  const size = sizeOf(text);
  return { cost: scale(size, stringFactor), size };
};

function accessor(name: string, id: string, read: (url: GoUrl) => string): FunctionDecl {
  return { name, overloads: [member(id, [urlType], stringType, ({ url }) => read(url))] };
}

/** URLs, parsed as Go does. */
export const urlLibrary: Library = {
  name: "url",
  since: 0,
  functions: [
    {
      name: "url",
      overloads: [overload("string_to_url", [stringType], urlType, toUrl)],
      cost: walkCost,
      estimate: estimateWalk,
    },
    {
      name: "isURL",
      overloads: [overload("is_url_string", [stringType], boolType, (text) => uriProblem(text) === undefined)],
    },
    accessor("getScheme", "url_get_scheme", ({ scheme }) => scheme),
    accessor("getHost", "url_get_host", ({ host }) => host),
    accessor("getHostname", "url_get_hostname", ({ host }) => hostnameOf(host)),
    accessor("getPort", "url_get_port", ({ host }) => portOf(host)),
    accessor("getEscapedPath", "url_get_escaped_path", ({ escapedPath }) => escapedPath),
    {
      name: "getQuery",
      overloads: [
        member("url_get_query", [urlType], mapType(stringType, listType(stringType)), ({ url }) =>
          LiteralMap.of([...queryOf(url.rawQuery)].map(([key, values]) => [key, new ListValue(values)])),
        ),
      ],
    },
  ],
};

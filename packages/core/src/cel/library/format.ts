import { hasFormat } from "../../schema/index.js";
import { labelKeyProblems, labelValueProblems } from "../../selector/index.js";
import { type FunctionDecl, member, overload } from "../check/overload.js";
import { fixed, scale } from "../cost/estimate.js";
import { type CelType, listType, optionalType, stringType, structType, type TypeOf } from "../types/cel-type.js";
import { costSize, patternFactor, stringFactor } from "../values/sizes.js";
import { type CelValue, ListValue, OpaqueValue, OptionalValue } from "../values/value.js";
import type { Library } from "./library.js";
import { dns1035LabelProblems, dnsLabelProblems, dnsSubdomainProblems } from "./name-formats.js";
import { uriProblem } from "./url.js";

const formatType: TypeOf<FormatValue> = structType("kubernetes.NamedFormat");

class FormatValue extends OpaqueValue {
  readonly type: CelType = formatType;
  readonly name: string;
  readonly problems: (text: string) => readonly string[];
  /** The length of the regular expression that Kubernetes assumes. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.problems = problems;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

function openApi(format: string, problem: string): (text: string) => readonly string[] {
  return (text) => (hasFormat(text, format) ? [] : [problem]);
}

const formats: Readonly<Record<string, FormatValue>> = {
  dns1123Label: new FormatValue("DNS1123Label", 30, (text) => dnsLabelProblems(text, false)),
  dns1123Subdomain: new FormatValue("DNS1123Subdomain", 60, (text) => dnsSubdomainProblems(text, false)),
  dns1035Label: new FormatValue("DNS1035Label", 30, (text) => dns1035LabelProblems(text, false)),
  qualifiedName: new FormatValue("QualifiedName", 60, labelKeyProblems),
  dns1123LabelPrefix: new FormatValue("DNS1123LabelPrefix", 30, (text) => dnsLabelProblems(text, true)),
  dns1123SubdomainPrefix: new FormatValue("DNS1123SubdomainPrefix", 60, (text) => dnsSubdomainProblems(text, true)),
  dns1035LabelPrefix: new FormatValue("DNS1035LabelPrefix", 30, (text) => dns1035LabelProblems(text, true)),
  labelValue: new FormatValue("LabelValue", 40, labelValueProblems),
  uri: new FormatValue("URI", 1_103, (text) => {
    const problem = uriProblem(text);
    return problem === undefined ? [] : [problem];
  }),
  uuid: new FormatValue("uuid", 72, openApi("uuid", "does not match the UUID format")),
  byte: new FormatValue("byte", 84, openApi("byte", "invalid base64")),
  date: new FormatValue("date", 72, openApi("date", "invalid date")),
  datetime: new FormatValue("datetime", 72, openApi("datetime", "invalid datetime")),
};

/** The longest pattern that the estimate assumes. */
const maxPatternSize = 128;

const constants = Object.entries(formats).map(
  ([name, format]): FunctionDecl => ({
    name: `format.${name}`,
    overloads: [overload(`format.${name}`, [], formatType, () => format)],
  }),
);

/** Named formats, since 1.31. */
export const formatLibrary: Library = {
  name: "format",
  since: 31,
  functions: [
    {
      name: "validate",
      overloads: [
        member("format-validate", [formatType, stringType], optionalType(listType(stringType)), (format, text) => {
          const problems = format.problems(text);
          return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ListValue(problems));
        }),
      ],
      cost: ([format, text]) => {
        const size = format instanceof FormatValue ? format.patternSize : maxPatternSize;
        return Math.ceil((1 + costSize(text as CelValue)) * stringFactor) * Math.ceil(size * patternFactor);
      },
      estimate: ({ args: [text], sizeOf }) =>
        text === undefined
          ? undefined
          : { cost: scale(scale(sizeOf(text), stringFactor), maxPatternSize * patternFactor) },
    },
    {
      name: "format.named",
      overloads: [
        overload("format-named", [stringType], optionalType(formatType), (name) => {
          const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
          return format === undefined ? OptionalValue.none : new OptionalValue(format);
        }),
      ],
      estimate: () => ({ cost: fixed(1) }),
    },
    ...constants,
  ],
};

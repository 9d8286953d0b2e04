import { type JsonValue, parseJson, stringifyJson } from "@kubewright/core/json";
import { type Document, isScalar, parseDocument, type ScalarTag, visit } from "yaml";
import { checkYamlLimits } from "./yaml-limits.js";

/** The value of a YAML document, and one message for each duplicate key. */
export interface YamlDocument {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

/**
 * Reads the first document of a YAML stream, with the scalars of YAML 1.1: `yes` is true and `017` is fifteen.
 *
 * Throws the parser's error for malformed YAML, excessive nesting, anchors and aliases.
 */
export function readYaml(text: string): YamlDocument {
  checkYamlLimits(text);
  const document = parseDocument(text, {
    version: "1.1",
    schema: "failsafe",
    customTags: scalars,
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "silent",
  });
  const [problem] = document.errors.filter(({ code }) => code !== "MULTIPLE_DOCS");
  if (problem !== undefined) throw problem;
  return { value: document.toJS({ maxAliasCount: 100 }) ?? null, duplicates: duplicateKeys(document, text) };
}

/** Replaces the parser's own check, which is quadratic and takes minutes for a large map. */
function duplicateKeys(document: Document.Parsed, text: string): string[] {
  const found: string[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const line = text.slice(0, key.range?.[0] ?? 0).split("\n").length;
          found.push(`line ${line}: key ${stringifyJson(key.value)} already set in map`);
        }
        seen.add(key.value);
      }
    },
  });
  return found;
}

function scalar(name: string, test: RegExp, resolve: (text: string) => JsonValue): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve: (text) => resolve(text) };
}

/** The scalars of YAML 1.1 that JSON can represent. Timestamps and `12:30` stay strings, as in kube-apiserver. */
const scalars: ScalarTag[] = [
  scalar("null", /^(?:~|null|Null|NULL|)$/, () => null),
  scalar("bool", /^(?:[yY]|yes|Yes|YES|on|On|ON|true|True|TRUE)$/, () => true),
  scalar("bool", /^(?:[nN]|no|No|NO|off|Off|OFF|false|False|FALSE)$/, () => false),
  scalar("float", /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, (text) => {
    throw new SyntaxError(`json: unsupported value: ${text}`);
  }),
  scalar("float", /^[-+]?[0-9.]/, (text) => {
    const digits = text.replaceAll("_", "").replace(/^([-+]?)0([0-7]+)$/, "$10o$2");
    const value = Number(digits);
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(digits))
      return parseJson(digits.replace(/^\+/, ""));
    return Number.isFinite(value) ? value : text;
  }),
];

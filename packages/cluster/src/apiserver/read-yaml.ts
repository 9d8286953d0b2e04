import type { JsonValue } from "@kubewright/core/json";
import { parseDocument, type ScalarTag } from "yaml";

/** The value of a YAML document, and one message for each key that a map has twice. */
export interface YamlDocument {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

/**
 * Reads the first document of a YAML stream, with the scalars of YAML 1.1: `yes` is true and `017` is fifteen.
 *
 * Throws the parser's error for malformed YAML and for excessive aliasing.
 */
export function readYaml(text: string): YamlDocument {
  const document = parseDocument(text, {
    version: "1.1",
    schema: "failsafe",
    customTags: scalars,
    merge: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [problem] = document.errors.filter(({ code }) => code !== "DUPLICATE_KEY" && code !== "MULTIPLE_DOCS");
  if (problem !== undefined) throw problem;
  const duplicates = document.errors
    .filter(({ code }) => code === "DUPLICATE_KEY")
    .map(({ pos: [start] }) => {
      const line = text.slice(0, start).split("\n").length;
      const [key = ""] = /^[^\s:]+|/.exec(text.slice(start, start + 200)) ?? [];
      return `line ${line}: key ${JSON.stringify(key.replace(/^["']|["']$/g, ""))} already set in map`;
    });
  return { value: document.toJS({ maxAliasCount: 100 }) ?? null, duplicates };
}

function scalar(name: string, test: RegExp, resolve: (text: string) => JsonValue): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve: (text) => resolve(text) };
}

/** The scalars of YAML 1.1 that JSON has. Timestamps and `12:30` stay strings, as a real server reads them. */
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
    return Number.isFinite(value) ? value : text;
  }),
];

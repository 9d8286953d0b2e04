import type { ScalarTag } from "yaml";

const words: Readonly<Record<string, boolean>> = Object.fromEntries(
  [
    ["y", "yes", "true", "on"].map((word) => [word, true] as const),
    ["n", "no", "false", "off"].map((word) => [word, false] as const),
  ]
    .flat()
    .flatMap(([word, value]) =>
      [word, word.slice(0, 1).toUpperCase() + word.slice(1), word.toUpperCase()].map((form) => [form, value]),
    ),
);

const infinities: Readonly<Record<string, number>> = Object.fromEntries(
  [".inf", ".Inf", ".INF"].flatMap((word) => [
    [word, Number.POSITIVE_INFINITY],
    [`+${word}`, Number.POSITIVE_INFINITY],
    [`-${word}`, Number.NEGATIVE_INFINITY],
  ]),
);

/**
 * How Go's reader of YAML takes words without quotes: as YAML 1.1 has it, with `yes` for true, `017` for fifteen and `1_000` for a thousand;
 * but for times, which stay texts.
 */
export const goYamlScalars: ScalarTag[] = [
  tag("null", /^(~|null|Null|NULL|)$/, () => null),
  tag("bool", /^(y|n|yes|no|on|off|true|false)$/i, (text) => words[text] ?? text),
  tag("float", /^[-+]?\.(inf|Inf|INF)$/, (text) => infinities[text] ?? text),
  tag("float", /^\.(nan|NaN|NAN)$/, () => Number.NaN),
  tag("int", /^[-+]?[0-9]/, numberOf),
  tag("float", /^[-+]?[0-9.]/, numberOf),
  { tag: "tag:yaml.org,2002:binary", resolve: (text: string) => Buffer.from(text, "base64").toString("utf8") },
];

function tag(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve: (text: string) => resolve(text) };
}

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const smallest = -(2n ** 63n);
const largest = 2n ** 64n - 1n;

/** The number that a word stands for; the word itself for none, or for one that is too large. */
function numberOf(text: string): number | string {
  const plain = text.startsWith(".") ? text : text.replaceAll("_", "");
  const [, sign = "", hexadecimal, octal, binary, decimal] = integer.exec(plain) ?? [];
  const digits =
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : octal !== undefined
        ? `0o${octal}`
        : binary !== undefined
          ? `0b${binary}`
          : decimal;
  if (digits !== undefined) {
    const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
    if (value >= smallest && value <= largest) return Number(value);
  }
  if (!float.test(plain)) return text;
  const value = Number(plain);
  return Number.isFinite(value) ? value : text;
}

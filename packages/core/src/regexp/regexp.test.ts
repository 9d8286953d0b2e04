import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern } from "./index.js";
import { RE2JS } from "./lazy-re2js.js";
import { nativePattern } from "./native-pattern.js";

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.kind === "rejected") throw new Error(compiled.reason);
  return compiled.matches(text);
}

function reason(pattern: string): string {
  const compiled = compilePattern(pattern);
  return compiled.kind === "rejected" ? compiled.reason : "accepted";
}

describe("compilePattern", () => {
  test("matches anywhere, and with anchors at the ends of the string or of lines", () => {
    expect(matches("b", "abc")).toBe(true);
    expect(matches("^b", "a\nb")).toBe(false);
    expect(matches("(?m)^b$", "a\nb\nc")).toBe(true);
    expect(matches("a$", "a\n")).toBe(false);
    expect(matches("", "")).toBe(true);
    expect(matches("^$", "x")).toBe(false);
  });

  test("matches patterns that cause catastrophic backtracking in linear time", () => {
    expect(matches("^(a+)+$", `${"a".repeat(50_000)}b`)).toBe(false);
    expect(matches("^(a|a|aa)*$", `${"a".repeat(50_000)}b`)).toBe(false);
    expect(matches("(x+x+)+y", "x".repeat(20_000))).toBe(false);
    expect(matches("^(.*)*(.*)*(.*)*z$", "y".repeat(20_000))).toBe(false);
  });

  test("supports RE2's character classes", () => {
    expect(matches("^[[:alpha:]_-]+$", "ab_-")).toBe(true);
    expect(matches("^[[:^digit:]]$", "5")).toBe(false);
    expect(matches("^[\\d\\S]$", "é")).toBe(true);
    expect(matches("^\\s$", "\v")).toBe(false);
    expect(matches("^[]a]+$", "]a")).toBe(true);
    expect(matches("^\\p{Greek}\\PL$", "α1")).toBe(true);
    expect(matches("^\\p{^L}$", "a")).toBe(false);
    expect(matches("^.$", "😀")).toBe(true);
  });

  test("folds case by flags, also for a group only", () => {
    expect(matches("(?i)^abc$", "ABC")).toBe(true);
    expect(matches("^a(?i:b)c$", "aBc")).toBe(true);
    expect(matches("^a(?i:b)c$", "aBC")).toBe(false);
    expect(matches("^(?i)a(?-i)b$", "AB")).toBe(false);
    expect(matches("(?i)^[k]$", "\u212a")).toBe(true);
  });

  test("counts repetitions", () => {
    expect(matches("^a{2,3}$", "aaa")).toBe(true);
    expect(matches("^a{2,3}$", "aaaa")).toBe(false);
    expect(matches("^a{2,}$", "a")).toBe(false);
    expect(matches("^a{0}b$", "b")).toBe(true);
    expect(matches("^x{,3}$", "x{,3}")).toBe(true);
  });

  test("rejects unsupported syntax with RE2's message", () => {
    expect(reason("(?=a)")).toBe("error parsing regexp: invalid or unsupported Perl syntax: `(?=`");
    expect(reason("\\1")).toBe("error parsing regexp: invalid escape sequence: `\\1`");
    expect(reason("a**")).toBe("error parsing regexp: invalid nested repetition operator: `**`");
    expect(reason("(a")).toBe("error parsing regexp: missing closing ): `(a`");
    expect(reason("a{1001}")).toBe("error parsing regexp: invalid repeat count: `{1001}`");
    expect(reason("(".repeat(1_100) + ")".repeat(1_100))).toContain("expression nests too deeply");
    expect(reason("a{1000}".repeat(5_000))).toContain("expression too large");
  });

  test("agrees with JavaScript on common syntax", () => {
    const atom = fc.constantFrom("a", "b", "ab", ".", "[ab]", "[^a]", "(a|b)", "(?:ab|)", "^", "$", "\\b", "(a*b)");
    const repeated = fc.tuple(atom, fc.constantFrom("", "*", "+", "?", "{2}", "{1,2}", "*?")).map(([one, many]) =>
      // Repeated anchors are syntax errors in JavaScript.
      /^(\^|\$|\\b)$/.test(one) ? one : one + many,
    );
    const pattern = fc.array(repeated, { maxLength: 5 }).map((parts) => parts.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        // JavaScript's dot excludes more line terminators than the newline; none of them occur here.
        const expected = new RegExp(source, "u").test(given);
        expect(matches(source, given), `${source} on ${JSON.stringify(given)}`).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("patterns are RE2: its syntax is accepted, unsupported syntax is rejected", () => {
  const matches = (pattern: string, text: string): boolean => {
    const compiled = compilePattern(pattern);
    return compiled.kind === "pattern" && compiled.matches(text);
  };
  expect(matches("^[[:alpha:]]+\\-\\_$", "ab-_")).toBe(true);
  expect(matches("(?i)^abc$", "ABC")).toBe(true);
  expect(matches("\\A\\pL\\z", "é")).toBe(true);
  expect(matches("^a{,2}$", "a{,2}")).toBe(true);
  expect(matches("^(?P<x>a|b){2}[]/]$", "ab]")).toBe(true);
  expect(matches("^.$", "\r")).toBe(true);
  for (const pattern of ["(?=a)", "(?<!a)b", "(a)\\1", "a{1001}", "[a", "(", "a**", "\\y"]) {
    expect(compilePattern(pattern).kind, pattern).toBe("rejected");
  }
});

test("compilePattern never throws", () => {
  fc.assert(
    fc.property(fc.string(), (pattern) => {
      expect(["pattern", "rejected"]).toContain(compilePattern(pattern).kind);
    }),
  );
});

describe("nativePattern", () => {
  test("takes patterns that JavaScript matches in linear time", () => {
    for (const source of [
      "^[a-z]+$",
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
      "^a\\.b$",
      "^\\d{3}-[A-F]{2,4}$",
      "^v[0-9]+(alpha)?$",
    ]) {
      expect(nativePattern(source), source).toBeDefined();
    }
  });

  test("leaves to RE2 what could backtrack, or means something else", () => {
    for (const source of [
      "[a-z]+",
      "^a*a*$",
      "^(a+)+$",
      "^(a|b)$",
      "^a+?$",
      "^.$",
      "^\\s$",
      "^[[:alpha:]]$",
      "^a{2,3}b+$",
      "^(?i)a$",
    ]) {
      expect(nativePattern(source), source).toBeUndefined();
    }
  });

  test("matches what RE2 matches", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "-",
      "\\.",
      "\\d",
      "\\w",
      "[ab]",
      "[^a]",
      "[a-c0-9-]",
      "[-a]",
      "[^-b]",
      "[\\w.-]",
      "(ab)",
      "(?:a-)",
      "(b[ab])",
    );
    const part = fc
      .tuple(atom, fc.constantFrom("", "", "?", "*", "+", "{2}", "{1,2}", "{0,}"))
      .map(([one, many]) => one + many);
    const pattern = fc
      .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom("", "$"))
      .map(([parts, end]) => `^${parts.join("")}${end}`);
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", ".", "1", "\n", "é", "😀"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const native = nativePattern(source);
        if (native === undefined) return;
        expect(native.test(given), `${source} on ${JSON.stringify(given)}`).toBe(RE2JS.compile(source).test(given));
      }),
      { numRuns: 2_000 },
    );
  });
});

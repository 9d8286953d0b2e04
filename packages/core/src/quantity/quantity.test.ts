import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Quantity } from "./index.js";

type Case = [text: string, canonical: string | null, error: string | null, units: string | null];
const recorded: Case[] = JSON.parse(readFileSync(new URL("./quantity-cases.gen.json", import.meta.url), "utf8"));
/** Beyond 64 bits Go's integers overflow, and negative quantities round in two ways, depending on their internal representation. */
const isComparable = ({ sign, toUnits }: { sign: number; toUnits: bigint }): boolean =>
  sign >= 0 && toUnits < 2n ** 63n;

test("Quantity parses, rejects and formats as Kubernetes does, on recorded cases", () => {
  expect(recorded.length).toBeGreaterThan(1_000);
  for (const [text, canonical, error, units] of recorded) {
    if (canonical === null || units === null) {
      expect(() => Quantity.parse(text), text).toThrow(error ?? undefined);
      continue;
    }
    const quantity = Quantity.parse(text);
    expect([text, quantity.toString()]).toEqual([text, canonical]);
    if (isComparable({ sign: quantity.sign, toUnits: quantity.toUnits() }))
      expect([text, quantity.toUnits().toString()]).toEqual([text, units]);
  }
});

const quantities = fc
  .tuple(
    fc.integer({ min: -5_000_000, max: 5_000_000 }),
    fc.constantFrom("", "n", "m", "k", "M", "Ki", "Mi", "Gi", "e3"),
  )
  .map(([number, suffix]) => Quantity.parse(`${number}${suffix}`));

test("formatting and parsing preserves the value", () => {
  fc.assert(fc.property(quantities, (a) => Quantity.parse(a.toString()).equals(a)));
});

test("addition is exact: commutative, associative, inverted by subtraction", () => {
  fc.assert(
    fc.property(quantities, quantities, quantities, (a, b, c) => {
      expect(a.add(b).equals(b.add(a))).toBe(true);
      expect(
        a
          .add(b)
          .add(c)
          .equals(a.add(b.add(c))),
      ).toBe(true);
      expect(a.add(b).subtract(b).equals(a)).toBe(true);
    }),
  );
});

test("comparison agrees with the sign of the difference", () => {
  fc.assert(fc.property(quantities, quantities, (a, b) => a.compare(b) === a.subtract(b).sign));
});

test("a sum keeps the format of the first operand, and zero takes the format of the other", () => {
  expect(Quantity.parse("1Gi").add(Quantity.parse("512Mi")).toString()).toBe("1536Mi");
  expect(Quantity.parse("0").add(Quantity.parse("2Gi")).toString()).toBe("2Gi");
  expect(Quantity.parse("250m").multiply(4).toString()).toBe("1");
  expect(Quantity.parse("1.5").toMilliUnits()).toBe(1_500n);
  expect(Quantity.parse("1500m").toNumber()).toBe(1.5);
});

test("any input parses to a quantity or throws API_INVALID", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[+-]?[0-9.]{1,12}[eEinumkKMGTP]{0,2}[-+]?[0-9]{0,6}$/)),
      (text) => {
        try {
          Quantity.parse(text).toString();
        } catch (error) {
          expect(error).toMatchObject({ code: "API_INVALID" });
        }
      },
    ),
  );
});

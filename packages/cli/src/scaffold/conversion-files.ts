/** In a definition: where further versions are added. */
export const versionsMarker = "// +kubewright:scaffold:versions";
/** In a definition: where conversion functions are added. */
export const convertMarker = "// +kubewright:scaffold:convert";

/**
 * A definition with one more version, and the functions that convert between it and the hub; undefined if a marker is missing.
 *
 * The new version starts with the schema of the hub.
 */
export function withSpoke(text: string, spoke: string): string | undefined {
  if (!text.includes(versionsMarker) || !text.includes(convertMarker)) return undefined;
  const version = `${spoke}: { spec, status, conditions: { Ready: ["Published"] } },`;
  const convert = `${spoke}: { toHub: ({ spec }) => ({ spec }), fromHub: ({ spec }) => ({ spec }) },`;
  const added = text.includes("  convert: {\n")
    ? text.replace(convertMarker, `${convert}\n    ${convertMarker}`)
    : text.replace(convertMarker, `convert: {\n    ${convert}\n    ${convertMarker}\n  },`);
  return added.replace(versionsMarker, `${version}\n    ${versionsMarker}`);
}

/** A test that every version survives the way to the hub and back. */
export function conversionTest(kind: string, api: string): string {
  return `import { checkConversions } from "@kubewright/testing";
import { expect, test } from "vitest";
import { ${kind} } from "${api}";

test("each version of a ${kind} survives the way to the hub and back", () => {
  expect(checkConversions(${kind}).problems).toEqual([]);
});
`;
}

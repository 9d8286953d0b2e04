import type { JsonObject } from "@kubewright/core/json";

export function generateName(base: string, random: () => number): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  let suffix = "";
  for (let index = 0; index < 5; index++) suffix += alphabet[Math.floor(random() * alphabet.length)] ?? "b";
  return base.slice(0, 58) + suffix;
}

export interface LabelSelector {
  matches(labels: Readonly<Record<string, string>>): boolean;
}

export function parseLabelSelector(text: string): LabelSelector {
  const parts = text
    .split(",")
    .filter((part) => part !== "")
    .map((part) => part.split(/==?/));
  return {
    matches: (labels) =>
      parts.every(([key = "", value]) => (value === undefined ? Object.hasOwn(labels, key) : labels[key] === value)),
  };
}

export interface FieldSelector {
  readonly requirements: readonly { readonly field: string; readonly operator: string; readonly value: string }[];
  matches(get: (field: string) => string | undefined): boolean;
}

export function parseFieldSelector(text: string): FieldSelector {
  const requirements = text
    .split(",")
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^([^=!]+)(!=|==?)(.*)$/.exec(part);
      return { field: match?.[1] ?? "", operator: match?.[2] === "!=" ? "!=" : "=", value: match?.[3] ?? "" };
    });
  return {
    requirements,
    matches: (get) => requirements.every(({ field, operator, value }) => (get(field) === value) === (operator === "=")),
  };
}

export type { JsonObject };

import type { Area } from "./scenario.js";

/** Selects areas by name, and scenarios whose names contain one of the terms. Without terms, all. */
export function chosenAreas(areas: readonly Area[], terms: readonly string[]): Area[] {
  const isSelected = (area: Area, name: string): boolean =>
    terms.length === 0 || terms.some((term) => term === area.name || name.includes(term));
  return areas
    .map((area) => ({ ...area, scenarios: area.scenarios.filter(({ name }) => isSelected(area, name)) }))
    .filter(({ scenarios }) => scenarios.length > 0);
}

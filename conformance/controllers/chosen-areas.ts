import type { Area } from "./scenario.js";

/** Areas by name, and of the others the scenarios whose names hold one of the words. Without words, all. */
export function chosenAreas(areas: readonly Area[], words: readonly string[]): Area[] {
  const isWanted = (area: Area, name: string): boolean =>
    words.length === 0 || words.some((word) => word === area.name || name.includes(word));
  return areas
    .map((area) => ({ ...area, scenarios: area.scenarios.filter(({ name }) => isWanted(area, name)) }))
    .filter(({ scenarios }) => scenarios.length > 0);
}

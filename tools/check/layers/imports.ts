/** One import or re-export in a source file. */
export interface ImportStatement {
  readonly specifier: string;
  readonly line: number;
  /** `import type ...` or `export type ...`. */
  readonly isTypeOnly: boolean;
}

/** The forms `import ... from "x"`, `export ... from "x"`, `import "x"` and `import("x")`. */
const importForms =
  /(?:^|[\n;])\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|(?:^|[\n;])\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/** Every import of a source file. Comments are ignored, so that an example in a doc comment is not an import. */
export function importsOf(source: string): ImportStatement[] {
  const code = blankComments(source);
  return [...code.matchAll(importForms)].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3] ?? "",
    line: code.slice(0, match.index + match[0].length).split("\n").length,
    isTypeOnly: /^[\n;]?\s*(?:import|export)\s+type\b/.test(match[0]),
  }));
}

/** Replaces comments by spaces, keeping positions. Comment marks inside strings stay, because strings match first. */
function blankComments(source: string): string {
  return source.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (text) => {
    return text.startsWith("/") ? text.replace(/[^\n]/g, " ") : text;
  });
}

/** One fenced block of a Markdown text. */
export interface CodeBlock {
  /** What stands behind the fence: `ts`, `ts run`, `text`. */
  readonly info: string;
  readonly code: string;
  /** The line of the fence. */
  readonly line: number;
}

/** The fenced blocks of a Markdown text, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: match[1]?.trim() ?? "",
    code: match[2] ?? "",
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}

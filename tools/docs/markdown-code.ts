/** A fenced code block of a Markdown document. */
export interface CodeBlock {
  /** The info string: `ts`, `ts run`, `text`. */
  readonly info: string;
  readonly code: string;
  /** Line number of the opening fence. */
  readonly line: number;
}

/** The fenced code blocks of a Markdown document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: match[1]?.trim() ?? "",
    code: match[2] ?? "",
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}

/** Maximum nesting depth of flow collections (`[`, `{`), and maximum number of anchors in a document. */
const maxDepth = 1_000;
const maxAnchors = 2_000;

/**
 * Rejects YAML that would take the parser minutes, or exhaust memory. Scans the input once, before it is parsed.
 *
 * Counts brackets in strings and comments too, so it limits the number of open brackets, not their total.
 */
export function checkYamlLimits(text: string): void {
  let depth = 0;
  let anchors = 0;
  for (const [token] of text.matchAll(/[[{\]}]|(?<![^\s,[{])&(?=[^\s&])/g)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "&") anchors++;
    else if (depth > 0) depth--;
    if (depth > maxDepth) throw new SyntaxError(`nested deeper than ${maxDepth}`);
    if (anchors > maxAnchors) throw new SyntaxError(`more than ${maxAnchors} anchors`);
  }
}

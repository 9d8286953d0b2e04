/** How deep flow collections (`[`, `{`) may be nested, and how many anchors a document may have. */
const maxDepth = 1_000;
const maxAnchors = 2_000;

/**
 * Rejects YAML that the parser would need minutes or more memory than the process has for. One pass over the text, before it is parsed.
 *
 * Counts brackets in strings and comments too, so it limits how many are open at once, not how many there are.
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

/** A fenced code block, an inline code span, or a link with its target. Links in code are text. */
const codeOrLink = /^(```+)[^\n]*\n[\s\S]*?^\1[ \t]*$|(`+)(?!`)[\s\S]*?[^`]\2(?!`)|(\]\()([^()\s]+)(\))/gm;

/** The document with each link target replaced by the result of `map`. */
export function mapLinks(markdown: string, map: (target: string) => string): string {
  return markdown.replace(codeOrLink, (...found: (string | undefined)[]) => {
    const [all = "", , , open, target, close] = found;
    return open === undefined || target === undefined ? all : `${open}${map(target)}${close}`;
  });
}

/** The link targets of a document, in order. */
export function linksOf(markdown: string): string[] {
  const targets: string[] = [];
  mapLinks(markdown, (target) => {
    targets.push(target);
    return target;
  });
  return targets;
}

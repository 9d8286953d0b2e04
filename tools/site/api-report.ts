/** A declaration in the sources of a package, with its doc comment as Markdown. */
export interface Declared {
  readonly name: string;
  readonly comment: string;
  /** Up to the next line that begins with a brace or is empty. */
  readonly body: string;
}

/** A page of the site for one module, from its API report, which has the signatures, and the doc comments of the sources. */
export function apiModulePage(
  { specifier, purpose }: { readonly specifier: string; readonly purpose: string },
  report: string,
  declared: readonly Declared[],
): string {
  const [, code = ""] = /```ts\n([\s\S]*?)\n```/.exec(report) ?? [];
  const declarations = code.split(/^(?=\/\/ @public)/m).slice(1);
  const sections = declarations.flatMap((text) => {
    const source = text.replaceAll(/^ *\/\/ (?:@public.*|\(undocumented\)|\(No @package.*)\n/gm, "").trim();
    // A report lists what it re-exports without a comment, after the declaration before.
    const own = source
      .replaceAll(/\n*^export \{ [\w$]+ \}$/gm, "")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
    const [, name = ""] =
      /^(?:export |declare |abstract |async )*(?:interface|type|class|function|const|namespace) ([\w$]+)/.exec(own) ??
      [];
    if (name === "") return [];
    const found = declarationOf(name, own, declared);
    const lines = found === undefined || found.comment === "" ? [] : [found.comment, ""];
    return [[`## ${name}`, "", ...lines, "```ts", withMemberComments(own, found), "```", ""].join("\n")];
  });
  const reExported = [...code.matchAll(/^export \{ ([\w$]+) \}$/gm)].map(([, name = ""]) => `\`${name}\``);
  return [
    `# ${specifier}`,
    "",
    `After this page you know every export of \`${specifier}\`${purpose === "" ? "" : `: ${purpose}`}.`,
    "",
    ...(reExported.length === 0
      ? []
      : [`Also exports, from \`@kubewright/core\` and zod: ${reExported.join(", ")}.`, ""]),
    ...sections,
  ].join("\n");
}

/** The declaration of an export: other files may have one of its name, so the one that has most of its words. */
function declarationOf(name: string, signature: string, declared: readonly Declared[]): Declared | undefined {
  const words = new Set(signature.match(/\w+/g));
  const score = ({ body }: Declared): number => {
    const own = new Set(body.match(/\w+/g));
    return [...words].filter((word) => own.has(word)).length;
  };
  return declared.filter((one) => one.name === name).toSorted((a, b) => score(b) - score(a))[0];
}

/** The source of an interface, whose members have doc comments, if it has all members of the report; else the signature of the report. */
function withMemberComments(signature: string, found: Declared | undefined): string {
  if (found === undefined || !signature.startsWith("export interface")) return signature;
  const members = [...signature.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = ""]) => member);
  return members.every((member) => new RegExp(`\\b${member}\\??[:(<]`).test(found.body)) ? found.body : signature;
}

/** The exported declarations of a source file that have a doc comment. */
export function declarationsIn(source: string): Declared[] {
  const declaration =
    /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(export (?:declare |abstract |async )*(?:interface ([\w$]+)[\s\S]*?\n\}|(?:type|class|function|const) ([\w$]+)[\s\S]*?(?:\n\}|;\n|\n\n)))/gm;
  return [...source.matchAll(declaration)].map(([, comment = "", body = "", interfaceName, name = ""]) => ({
    name: interfaceName ?? name,
    comment: markdownOf(comment),
    body: body.trim(),
  }));
}

function markdownOf(comment: string): string {
  const text = comment.replaceAll(/^\s*\* ?/gm, "").trim();
  const [before = "", ...examples] = text.split(/^@example\s*$|^@example /m);
  const prose = before
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/^@(\w+)/gm, "**$1**")
    .trim();
  const blocks = examples.map((example) => {
    const body = example.trim();
    return body.startsWith("```") ? body : `\`\`\`ts\n${body}\n\`\`\``;
  });
  return [prose, ...blocks].filter((part) => part !== "").join("\n\n");
}

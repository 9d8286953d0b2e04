/** One option whose doc comment has a `@default` with a literal. */
export interface DocumentedDefault {
  readonly owner: string;
  readonly option: string;
  /** As it is written: `"30s"`, `10_000`, `true`. */
  readonly value: string;
}

const literal = String.raw`"[^"]*"|-?\d[\d_.]*|true|false`;

/** The members of interfaces named `…Options` in a source file whose documented default is a literal; other defaults are prose. */
export function documentedDefaults(source: string): DocumentedDefault[] {
  const interfaces = source.matchAll(/^(?:export )?interface (\w+Options)\b[\s\S]*?^\}/gm);
  return [...interfaces].flatMap(([body, owner = ""]) => {
    const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)\?:/g);
    return [...members].flatMap(([, comment = "", option = ""]) => {
      const [, value] = new RegExp(String.raw`@default (${literal})(?=:|\s*$|\s+@)`).exec(comment) ?? [];
      return value === undefined ? [] : [{ owner, option, value }];
    });
  });
}

/**
 * The defaults that code gives an option: `{ option = 5 }`, `.option ?? 5`, `{ option: 5, ...options }`; `.option === true` and `.option !== false` are those of switches. The name
 * of a constant is replaced by its value; expressions are left out.
 */
export function codedDefaults(option: string, sources: readonly string[]): string[] {
  const value = String.raw`(${literal}|[a-zA-Z]\w*)`;
  const patterns = [
    new RegExp(String.raw`[{,]\s*${option}(?:: \w+)? = ${value}(?=\s*[,}])`, "g"),
    new RegExp(String.raw`\b${option} \?\? ${value}`, "g"),
    new RegExp(String.raw`[{,]\s*${option}: (${literal}),\s*\.\.\.`, "g"),
  ];
  const given = sources.flatMap((source) =>
    patterns.flatMap((pattern) => [...source.matchAll(pattern)].flatMap(([, found = ""]) => resolved(found, sources))),
  );
  if (given.length > 0) return given;
  // `!== undefined && !== false` is an option that can also be an object.
  const isOff = new RegExp(String.raw`\b${option} === true\b|\b${option} !== undefined && \S+ !== false\b`);
  const isOn = new RegExp(String.raw`(?<!\b${option} !== undefined && \S*)\b${option} !== false\b`);
  return sources.flatMap((source) => [
    ...(isOff.test(source) ? ["false"] : []),
    ...(isOn.test(source) ? ["true"] : []),
  ]);
}

function resolved(value: string, sources: readonly string[]): string[] {
  const constant = new RegExp(String.raw`\bconst ${value} = (${literal});`);
  if (new RegExp(`^(?:${literal})$`).test(value)) return [value];
  return sources.flatMap((source) => constant.exec(source)?.[1] ?? []).slice(0, 1);
}

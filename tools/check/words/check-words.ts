import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A term that must not appear, and what to write instead. */
interface Term {
  readonly pattern: string;
  readonly use: string;
}

const terms: readonly Term[] = [
  { pattern: "[Aa]new", use: "relist, restart, recreate, again" },
  { pattern: "[Mm]end(?:s|ed)?", use: "repair, fix, restore" },
  { pattern: "[Kk]eeper", use: "controller" },
  { pattern: "[Ff]ights?", use: "field-ownership conflict" },
  { pattern: "[Tt]ongue", use: "format" },
  { pattern: "to and fro", use: "flapping" },
  { pattern: "[Ww]hoever", use: "the client, the caller, the process that" },
  { pattern: "[Ss]omebody", use: "another client, another field manager" },
  { pattern: "[Nn]obody", use: "no client, no controller" },
  { pattern: "(?:[Ii]s|[Aa]re) told", use: "is reported, is logged, receives" },
  { pattern: "[Ll]ets go", use: "releases, drops" },
];

/** One expression with a group for each term. The words of a term may be on two lines of a comment. */
const anyTerm = new RegExp(
  `(?<![A-Za-z])(?:${terms.map(({ pattern }) => `(${pattern.replaceAll(" ", "[\\s*/#>]+")})`).join("|")})(?![a-z])`,
  "g",
);

/** A quoted object name or label value, such as `"nobody"`: data, not prose. */
const quotedName = /(["'`])[a-z0-9][a-z0-9./:-]*\1/g;

/** Finds every banned term in a text: `file:line: "term": use ...`. */
export function findTerms(file: string, text: string): string[] {
  const prose = text.replace(quotedName, (name) => " ".repeat(name.length));
  return [...prose.matchAll(anyTerm)].map(({ 0: found, index, ...groups }) => {
    const { use } = terms[terms.findIndex((_, at) => groups[at + 1] !== undefined)] ?? { use: "" };
    const line = prose.slice(0, index).split("\n").length;
    return `${file}:${line}: "${found.replaceAll(/[\s*/#>]+/g, " ")}": use ${use}`;
  });
}

/** Checks all tracked sources and documents, except generated files, lock files and this folder. */
export function checkWords(root: string): string[] {
  const tracked = execFileSync("git", ["ls-files", "-z", "*.ts", "*.mjs", "*.md", "*.json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return tracked
    .split("\0")
    .filter((file) => file !== "" && !/\.gen\.|(?:^|\/)package-lock\.json$|^tools\/check\/words\//.test(file))
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => findTerms(file, readFileSync(join(root, file), "utf8")));
}

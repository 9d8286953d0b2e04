import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
} from "@microsoft/api-extractor";

/** What was found about one package. */
export interface ApiFindings {
  /** The declarations of each entry point by the name of the report, such as `index` or `client`. */
  readonly reports: ReadonlyMap<string, string>;
  /** Exports without a doc comment, and types that a public signature names and no entry point exports. */
  readonly problems: readonly string[];
}

interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

/**
 * Reads the declarations that `tsc -b` emitted for the entry points of one package.
 *
 * Entry points with a `*` are left out: they are generated. Throws when a declaration file is missing or does not compile.
 */
export function readApi(packageFolder: string): ApiFindings {
  const entries = entryPointsOf(packageFolder);
  const temporary = mkdtempSync(join(tmpdir(), "kubewright-api-"));
  try {
    const configs = entries.map((entry) => configOf(packageFolder, entry, temporary));
    const [first] = configs;
    if (first === undefined) return { reports: new Map(), problems: [] };
    const compilerState = CompilerState.create(first, { additionalEntryPoints: entries.map(({ file }) => file) });
    const exported = new Set(generatedNames(packageFolder));
    const forgotten = new Map<string, string>();
    const problems = new Set<string>();
    const reports = new Map<string, string>();
    for (const [index, config] of configs.entries()) {
      const { name = "", file = "" } = entries[index] ?? {};
      const messageCallback = (message: ExtractorMessage): void => {
        message.handled = true;
        const where = `${message.sourceFilePath}:${message.sourceFileLine}`;
        const [, symbol = ""] = /"([^"]+)"/.exec(message.text) ?? [];
        if (message.messageId === "ae-forgotten-export") {
          // The entry point of type machinery: what only its conditional types use, no signature names.
          if (name !== "types") forgotten.set(symbol, where);
        } else if (message.logLevel === ExtractorLogLevel.Error) problems.add(`${where}: ${message.text}`);
      };
      Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
      const report = readFileSync(config.reportTempFilePath, "utf8");
      for (const [, symbol = ""] of report.matchAll(exportedName)) exported.add(symbol);
      for (const undocumented of undocumentedIn(report)) problems.add(`${file}: ${undocumented} has no doc comment`);
      reports.set(name, report);
    }
    for (const [symbol, where] of forgotten) {
      if (!exported.has(symbol)) problems.add(`${where}: "${symbol}" is named by a public signature and not exported`);
    }
    return { reports, problems: [...problems].sort() };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** `export interface A`, `export type A =`, `export function a(`, `export { A }` of a report. */
const exportedName = /^export (?:declare |abstract )*(?:interface|type|class|function|const|namespace|\{) ?([\w$]+)/gm;

/**
 * What a report marks as undocumented and must not be: exports, methods of interfaces, and options. Fields that carry data, such as those of a
 * Kubernetes object, need no comment, nor do methods of a class that its interface documents.
 */
function undocumentedIn(report: string): string[] {
  const found: string[] = [];
  let declared = "";
  let isInterface = false;
  const lines = report.split("\n");
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    const [name] = [...line.matchAll(exportedName)];
    if (name !== undefined) {
      declared = name[1] ?? "";
      isInterface = line.startsWith("export interface");
    }
    if (/^\/\/ @\w+ .*\(undocumented\)/.test(line)) found.push(`"${next}"`);
    const isMember = /^ +\/\/ \(undocumented\)/.test(line);
    if (isMember && isInterface && (declared.endsWith("Options") || /^ +\w+[<(]/.test(next))) {
      found.push(`"${next.trim()}" of ${declared}`);
    }
  }
  return found;
}

/** Writes reports to `folder`, and removes others from it. Returns the names of the files that changed. */
export function updateReports(folder: string, reports: ApiFindings["reports"]): string[] {
  mkdirSync(folder, { recursive: true });
  const stale = readdirSync(folder).filter((file) => !reports.has(file.replace(/\.api\.md$/, "")));
  for (const file of stale) rmSync(join(folder, file));
  const changed = [...reports].filter(([name, text]) => readReport(folder, name) !== text);
  for (const [name, text] of changed) writeFileSync(join(folder, `${name}.api.md`), text);
  return [...stale, ...changed.map(([name]) => `${name}.api.md`)].sort();
}

/** The report that is in the repository; undefined when there is none. */
function readReport(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, `${name}.api.md`), "utf8");
  } catch {
    return undefined;
  }
}

function exportsOf(packageFolder: string): [path: string, target: { readonly types: string }][] {
  const manifest: { exports: Record<string, { types: string }> } = JSON.parse(
    readFileSync(join(packageFolder, "package.json"), "utf8"),
  );
  return Object.entries(manifest.exports);
}

/** What the generated declarations behind a `*` export. */
function generatedNames(packageFolder: string): string[] {
  const folders = exportsOf(packageFolder).flatMap(([, { types }]) =>
    types.includes("*") ? [types.split("*")[0] ?? ""] : [],
  );
  return folders.flatMap((folder) =>
    readdirSync(join(packageFolder, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".gen.d.ts"))
      .map((file) => readFileSync(join(packageFolder, folder, file), "utf8"))
      .flatMap((text) => [...text.matchAll(exportedName)].map(([, symbol = ""]) => symbol)),
  );
}

function entryPointsOf(packageFolder: string): EntryPoint[] {
  return exportsOf(packageFolder)
    .filter(([path]) => !path.includes("*"))
    .map(([path, { types }]) => ({ name: path === "." ? "index" : path.slice(2), file: join(packageFolder, types) }));
}

function configOf(packageFolder: string, { name, file }: EntryPoint, temporary: string): ExtractorConfig {
  const silent = { default: { logLevel: ExtractorLogLevel.None } };
  const reported = { logLevel: ExtractorLogLevel.Warning };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(packageFolder, "package.json"),
    configObject: {
      projectFolder: packageFolder,
      mainEntryPointFilePath: file,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "es2022",
            lib: ["es2023", "esnext.disposable"],
            module: "nodenext",
            moduleResolution: "nodenext",
            types: ["node"],
            strict: true,
            skipLibCheck: true,
          },
          files: [file],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: temporary,
        reportTempFolder: join(temporary, "new"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { ...silent, "ae-forgotten-export": reported },
        tsdocMessageReporting: silent,
      },
    },
  });
}

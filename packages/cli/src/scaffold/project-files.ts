import { apiFiles } from "./api-files.js";
import { deliveryFiles } from "./delivery-files.js";
import { documentFiles } from "./document-files.js";
import { type License, licenseFiles } from "./license-files.js";
import { defaultImage, operatorNamespace } from "./manifest-files.js";
import { operatorText } from "./operator-file.js";
import { type Project, projectFile } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** All files of a new project, without its manifests. */
export function projectFiles(
  project: Project,
  { version, license }: { readonly version: string; readonly license: License },
): ScaffoldFile[] {
  return [
    { path: "PROJECT", text: projectFile(project) },
    { path: "package.json", text: json(packageJson(project, version, license)) },
    { path: "tsconfig.json", text: json(tsconfig) },
    { path: "tsconfig.build.json", text: json(buildConfig) },
    { path: "biome.json", text: json(biome) },
    { path: ".oxlintrc.json", text: json(oxlint) },
    { path: ".gitignore", text: "node_modules\nout\n.kubewright\n*.tsbuildinfo\n" },
    { path: "src/main.ts", text: mainText },
    { path: "src/operator.ts", text: operatorText(project) },
    ...project.resources.flatMap((resource) => apiFiles(project, resource)),
    ...deliveryFiles(project),
    ...documentFiles(project),
    ...licenseFiles(license),
  ];
}

const mainText = `import { projectOperator } from "./operator.js";

await projectOperator.runFromArgs();
`;

function packageJson({ projectName, namespaced }: Project, version: string, license: License): object {
  const scope = namespaced ? " --namespaced" : "";
  const namespace = operatorNamespace({ projectName });
  const generate = `kubewright generate src/operator.ts --namespace ${namespace} --image ${defaultImage}${scope}`;
  return {
    name: projectName,
    version: "0.1.0",
    private: true,
    ...(license === "apache2" && { license: "Apache-2.0" }),
    type: "module",
    engines: { node: ">=20.19" },
    scripts: {
      dev: "kubewright dev",
      start: "tsx src/main.ts",
      test: "vitest run",
      check: "tsc && biome check && oxlint --type-aware src",
      format: "biome check --write",
      generate,
      build: "tsc -p tsconfig.build.json",
    },
    dependencies: { kubewright: `^${version}`, zod: "^4.3.0" },
    devDependencies: {
      "@biomejs/biome": "^2.5.0",
      "@kubewright/cli": `^${version}`,
      "@kubewright/testing": `^${version}`,
      "@types/node": "^20.19.0",
      oxlint: "^1.93.0",
      "oxlint-tsgolint": "^7.0.2007",
      tsx: "^4.20.0",
      typescript: "^5.9.0",
      vitest: "^4.1.0",
    },
  };
}

const tsconfig = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    types: ["node"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    rootDir: "src",
  },
  include: ["src"],
};

const buildConfig = {
  extends: "./tsconfig.json",
  compilerOptions: { noEmit: false, outDir: "out", sourceMap: true },
  exclude: ["src/**/*.test.ts"],
};

const noClock = "Take the clock of the run's context: tests then run in virtual time.";

const biome = {
  files: { includes: ["src/**"] },
  // `kubewright create` appends imports.
  assist: { actions: { source: { organizeImports: "off" } } },
  formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 120 },
  linter: {
    rules: {
      style: {
        noRestrictedGlobals: {
          level: "error",
          options: { deniedGlobals: { Date: noClock, setTimeout: noClock, setInterval: noClock } },
        },
      },
    },
  },
};

// By the compiler's types: biome does not know that the functions of a run's context return promises.
const oxlint = {
  categories: { correctness: "off" },
  // A promise that is not awaited outlives its run, and its failure is lost.
  rules: { "typescript/no-floating-promises": "error" },
};

function json(value: object): string {
  // Lists of one string on one line, as formatters want them.
  return `${JSON.stringify(value, null, 2).replace(/\[\s+("[^"]*")\s+\]/g, "[$1]")}\n`;
}

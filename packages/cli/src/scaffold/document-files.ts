import { modulesOf } from "./api-files.js";
import type { Project } from "./project.js";
import type { ScaffoldFile } from "./write-scaffold.js";

/** README.md for people and AGENTS.md for coding agents. */
export function documentFiles(project: Project): ScaffoldFile[] {
  return [
    { path: "README.md", text: readme(project) },
    { path: "AGENTS.md", text: agents(project) },
  ];
}

function readme({ projectName }: Project): string {
  return `# ${projectName}

A Kubernetes operator in TypeScript, made with \`kubewright init\`.

## Develop

\`\`\`sh
npm install
npm run dev             # runs the operator on an embedded cluster, reloads it on change, shows its runs
npm test                # the tests, on an embedded cluster in virtual time
npm run generate        # after a change of a definition or a controller: writes config/ and dist/install.yaml
npm run check           # types and lint
\`\`\`

Run it against the cluster of your kubeconfig, without a container:

\`\`\`sh
npm start -- --install-crds
\`\`\`

\`npm start -- --help\` lists all flags.

## Deploy

\`\`\`sh
docker build -t registry.example.com/${projectName}:0.1.0 .
docker push registry.example.com/${projectName}:0.1.0
npx kubewright deploy --image registry.example.com/${projectName}:0.1.0
\`\`\`

\`--dry-run\` shows what would change. Without the command: \`npm run generate -- --image ...\`, then \`kubectl apply --server-side -f dist/install.yaml\`.

## Add a kind

\`\`\`sh
npx kubewright create api --group web --version v1alpha1 --kind Website
\`\`\`
`;
}

function agents(project: Project): string {
  const [first] = project.resources;
  const modules = first && modulesOf(project, first);
  const example = modules === undefined ? "" : `, such as \`src/${modules.api}.ts\``;
  return `# Instructions for coding agents

- \`src/api\` defines the resources${example}; the CRDs in \`config/crd\` are generated from them. After a change run \`npm run generate\`; never edit \`config/\` by hand.
- \`src/controllers\` has one controller and one test per resource. A controller can only read and write kinds that it declares (\`owns\`, \`uses\`, \`watches\`): the
  compiler rejects others, and the Role in \`config/rbac\` is derived from the declarations.
- \`reconcile\` reads the whole state and applies what should be: it must be safe to repeat, and must not depend on which event triggered it.
- Await every promise. Do not use \`Date\`, \`setTimeout\` or \`setInterval\` in a controller: return \`requeueAfter("30s")\`, and take the time from the run's context.
- Tests use \`testCluster\` and \`settle()\`, in virtual time. Never sleep.
- Before you finish: \`npm run check\`, \`npm test\`, \`npm run generate -- --check\`.
`;
}

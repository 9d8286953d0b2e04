import { operator, rawController } from "kubewright";

/** `docs/reference/flags.md`: what `runFromArgs` prints with `--help`, as tables. */
export async function flagsPage(): Promise<string> {
  let help = "";
  const output = { write: (text: string) => (help += text) };
  const idle = rawController({ name: "idle", keys: ["all"], reconcile: () => undefined });
  await operator({ name: "operator", controllers: [idle] }).runFromArgs({ args: ["--help"], output });
  const rows = [...help.matchAll(/^ {2}(--\S+)\s+(.+)$/gm)].map(([, flag, what = ""]) => `| \`${flag}\` | ${what} |`);
  return `# Flags of an operator

After this page you can configure an operator that calls \`runFromArgs()\`, in its Deployment and on your machine. [Running an operator](../guides/running.md#flags-and-environment)
explains them.

| Flag | Effect |
|---|---|
${rows.join("\n")}

As in Go, one dash is as good as two, \`--flag value\` equals \`--flag=value\`, and \`--flag=false\` switches off. An unknown flag is an error that names the closest one.
[Environment variables](environment.md) do the rest.
`;
}

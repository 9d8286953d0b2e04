import { readFileSync, realpathSync, statSync } from "node:fs";
import { run } from "./commands.js";
import { type ImageFile, imageArchive } from "./image-archive.js";

/** An image that runs a JavaScript program on this machine's Node.js. */
export interface NodeImageContent {
  /** With a tag, for instance `registry.example.com/operator:1.0`. */
  readonly name: string;
  /** The program, bundled into one file. */
  readonly program: string | Uint8Array;
  /** @default "main.mjs", an ES module */
  readonly file?: string;
  /** `NAME=value`. @default none */
  readonly environment?: readonly string[];
  /** Name of an executable in `/usr/local/bin` that runs the program, for manifests that set `command`. @default none */
  readonly command?: string;
  /** Further programs of this machine, by their absolute paths, for instance `/usr/bin/tar`, which `kubectl cp` runs. @default none */
  readonly programs?: readonly string[];
}

/** The user of distroless images, `nonroot`. */
const nonRoot = 65_532;

/**
 * An image of Node.js with a program, made without a container engine and a registry: this machine's `node`, the libraries that it is linked
 * with, and the program. Linux only. For production build an image from a Dockerfile.
 */
export async function nodeImage({
  name,
  program,
  file = "main.mjs",
  environment = [],
  command,
  programs = [],
}: NodeImageContent): Promise<Buffer> {
  const libraries = new Set((await Promise.all([process.execPath, ...programs].map(librariesOf))).flat());
  const files: ImageFile[] = [
    ...[...libraries, ...programs].map((path) => fileOf(path, path.slice(1))),
    fileOf(process.execPath, "usr/local/bin/node"),
    { path: "etc/passwd", content: Buffer.from(`nonroot:x:${nonRoot}:${nonRoot}::/:/sbin/nologin\n`) },
    { path: `app/${file}`, content: Buffer.from(program) },
  ];
  if (command !== undefined) {
    const script = `#!/usr/local/bin/node\nimport("/app/${file}");\n`;
    files.push({ path: `usr/local/bin/${command}`, content: Buffer.from(script), mode: 0o755 });
  }
  const entrypoint = ["/usr/local/bin/node", `/app/${file}`];
  return imageArchive({ name, files, entrypoint, environment, user: `${nonRoot}:${nonRoot}` });
}

/** The shared libraries of a program, and its loader, where the loader looks for them. */
async function librariesOf(program: string): Promise<readonly string[]> {
  const lines = (await run("ldd", program)).split("\n");
  return lines.flatMap((line) => /(?:=>\s*)?(\/\S+) \(0x[0-9a-f]+\)/.exec(line)?.[1] ?? []);
}

function fileOf(source: string, path: string): ImageFile {
  const real = realpathSync(source);
  return { path, content: readFileSync(real), mode: statSync(real).mode & 0o777 };
}

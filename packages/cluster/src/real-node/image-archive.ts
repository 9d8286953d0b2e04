import { createHash } from "node:crypto";

/** A file of an image. */
export interface ImageFile {
  /** Without a leading slash. */
  readonly path: string;
  readonly content: Uint8Array;
  /** @default 0o644 */
  readonly mode?: number;
}

/** An image of one layer. */
export interface ImageContent {
  /** With a tag, for instance `registry.example.com/web:1.0`. */
  readonly name: string;
  readonly files: readonly ImageFile[];
  readonly entrypoint: readonly string[];
  /** `NAME=value`. @default none */
  readonly environment?: readonly string[];
  /** @default "0:0" */
  readonly user?: string;
}

/** The image as a tar file that `ctr images import` and `docker load` read. The same content gives the same bytes. */
export function imageArchive({ name, files, entrypoint, environment = [], user = "0:0" }: ImageContent): Buffer {
  const layer = tarFile(files);
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === "x64" ? "amd64" : process.arch,
      os: "linux",
      created: "1970-01-01T00:00:00Z",
      config: { Entrypoint: entrypoint, Env: environment, User: user, WorkingDir: "/" },
      rootfs: { type: "layers", diff_ids: [`sha256:${sha256(layer)}`] },
    }),
  );
  const configPath = `${sha256(config)}.json`;
  const layerPath = `${sha256(layer)}/layer.tar`;
  const manifest = JSON.stringify([{ Config: configPath, RepoTags: [name], Layers: [layerPath] }]);
  return tarFile([
    { path: configPath, content: config },
    { path: layerPath, content: layer },
    { path: "manifest.json", content: Buffer.from(manifest) },
  ]);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const block = 512;

/** A tar file (ustar) with the files and their folders. */
export function tarFile(files: readonly ImageFile[]): Buffer {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) folders.add(parts.slice(0, depth).join("/"));
  }
  const parts: Uint8Array[] = [...folders].sort().map((path) => header({ path: `${path}/`, mode: 0o755, size: 0 }));
  for (const { path, content, mode = 0o644 } of files) {
    parts.push(header({ path, mode, size: content.length }), content);
    const rest = content.length % block;
    if (rest > 0) parts.push(Buffer.alloc(block - rest));
  }
  parts.push(Buffer.alloc(2 * block));
  return Buffer.concat(parts);
}

function header({ path, mode, size }: { readonly path: string; readonly mode: number; readonly size: number }): Buffer {
  const bytes = Buffer.alloc(block);
  const [name, prefix] = splitPath(path);
  const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, "0");
  bytes.write(name, 0);
  bytes.write(octal(mode, 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(size, 12), 124);
  bytes.write(octal(0, 12), 136);
  bytes.write(" ".repeat(8), 148);
  bytes.write(path.endsWith("/") ? "5" : "0", 156);
  bytes.write("ustar\u000000", 257);
  bytes.write(prefix, 345);
  let sum = 0;
  for (const byte of bytes) sum += byte;
  bytes.write(`${octal(sum, 7)}\u0000 `, 148);
  return bytes;
}

/** A name of at most 100 bytes, and what precedes it. */
function splitPath(path: string): readonly [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= 100) return [path, ""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const name = path.slice(at + 1);
    if (name !== "" && Buffer.byteLength(name) <= 100 && at <= 155) return [name, path.slice(0, at)];
  }
  throw new RangeError(`Cannot put ${JSON.stringify(path)} into an image: the path is too long`);
}

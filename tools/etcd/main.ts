/**
 * `npm run etcd:images [-- etcd|busybox|operator ...]`: image archives of what the etcd operator runs and of itself, for nodes that pull no images.
 *
 * etcd, etcdctl and etcdutl are built from Go modules into the per-user cache directory, one module for each version. An archive is read by
 * `kubewright cluster load-image`, `ctr images import` and `docker load`. Linux only: the image of the operator contains this machine's Node.js.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { imageArchive, nodeImage } from "@kubewright/cluster/real-node";
import { realCacheDir } from "@kubewright/testing/control-plane";
import { installBinaries } from "../real/go-binaries.js";
import { bundleOperator } from "./bundle-operator.js";
import { staticBusybox } from "./static-busybox.js";

/** Ascending. An upgrade leads from each to the next. */
const versions = ["3.5.35", "3.6.15", "3.6.16"] as const;
/** Too old to build with its modules. The operator's examples name it, so the oldest version has this tag too. */
const walkThroughVersion = "3.2.13";
/** What the init containers of members run, to wait for a DNS name. Contains this machine's busybox. */
const busyboxImage = "busybox:1.28.0-glibc";
const operatorImage = "quay.io/coreos/etcd-operator:v0.9.4";
const programs = { etcd: "server", etcdctl: "etcdctl", etcdutl: "etcdutl" } as const;
const images = ["etcd", "busybox", "operator"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join(realCacheDir(), "etcd-images") },
    help: { type: "boolean", default: false, short: "h" },
  },
});
const unknown = positionals.filter((name) => !images.some((image) => image === name));
if (values.help || unknown.length > 0) {
  const usage = `Usage: npm run etcd:images [-- ${images.join("|")} ...] [-- --out folder]

Makes image archives, all of these unless some are named:
  etcd      quay.io/coreos/etcd:v${versions.join(", v")}, and v${walkThroughVersion}, which contains ${versions[0]}
  busybox   ${busyboxImage}, of Debian's package busybox-static
  operator  ${operatorImage}, on this machine's Node.js
--out names their folder, by default ${values.out}`;
  if (unknown.length > 0) console.error(`Cannot make an image of "${unknown.join('", "')}"\n`);
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
if (process.platform !== "linux") {
  console.error(`Cannot make images for Linux: this is ${process.platform}`);
  process.exit(1);
}
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const wanted = positionals.length === 0 ? images : images.filter((image) => positionals.includes(image));
if (wanted.includes("etcd")) await makeEtcdImages();
if (wanted.includes("busybox")) {
  const busybox = { content: readFileSync(staticBusybox()), mode: 0o755 };
  const files = ["busybox", "sh", "nslookup", "sed", "sleep", "date"].map((name) => ({
    path: `bin/${name}`,
    ...busybox,
  }));
  write(busyboxImage, imageArchive({ name: busyboxImage, files, entrypoint: ["/bin/sh"] }));
}
if (wanted.includes("operator")) {
  console.log("Bundling the operator");
  const program = await bundleOperator();
  write(operatorImage, await nodeImage({ name: operatorImage, program, command: "etcd-operator" }));
}

async function makeEtcdImages(): Promise<void> {
  for (const version of versions) {
    const folder = await installBinaries({
      title: `etcd ${version}`,
      moduleFolder: join(import.meta.dirname, `v${version}`),
      version: `etcd-${version}`,
      link: `etcd-${version}`,
      binaries: Object.entries(programs).map(([name, module]) => ({
        name,
        source: `go.etcd.io/etcd/${module}/v3`,
        flags: "-s -w",
      })),
    });
    const files = Object.keys(programs).map((name) => ({
      path: `usr/local/bin/${name}`,
      content: readFileSync(join(folder, name)),
      mode: 0o755,
    }));
    const tags = version === versions[0] ? [version, walkThroughVersion] : [version];
    for (const tag of tags) {
      const name = `quay.io/coreos/etcd:v${tag}`;
      write(name, imageArchive({ name, files, entrypoint: ["/usr/local/bin/etcd"] }));
    }
  }
}

/** Writes an archive, named after the image, in one step: a reader sees it complete or not at all. */
function write(image: string, archive: Uint8Array): void {
  const file = join(out, `${image.slice(image.lastIndexOf("/") + 1).replace(":", "-")}.tar`);
  writeFileSync(`${file}.part`, archive);
  renameSync(`${file}.part`, file);
  console.log(`${image}: ${file} (${Math.round(archive.length / 1e6)} MB)`);
}

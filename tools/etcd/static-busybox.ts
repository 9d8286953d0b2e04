import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const places = ["/bin/busybox", "/usr/bin/busybox"];

/** The path of a busybox that needs no libraries. Ends the process with what to install if there is none. */
export function staticBusybox(): string {
  const found = places.find((path) => existsSync(path) && isStatic(path));
  if (found !== undefined) return found;
  console.error('Cannot make the image of busybox: "apt-get install busybox-static"');
  process.exit(1);
}

/** A static program is none that the loader knows: `ldd` fails, and says so. */
function isStatic(path: string): boolean {
  const { status, stdout } = spawnSync("ldd", [path], { encoding: "utf8" });
  return status !== 0 || stdout.includes("statically linked");
}

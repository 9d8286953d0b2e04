/** The version of this package; a test holds it against package.json. */
export const packageVersion = "0.1.0";

const goPlatforms: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };

/**
 * A user agent in the form that API servers' logs and metrics know from client-go: `name/version (os/arch) kubewright/version`.
 *
 * `program` is a name, or a name with its version (`sample/1.2.0`). What has spaces is a whole user agent already and stays as it is.
 */
export function userAgentOf(program: string): string {
  if (program.includes(" ")) return program;
  const named = program.includes("/") ? program : `${program || "unknown"}/unknown`;
  const platform = goPlatforms[process.platform] ?? process.platform;
  const architecture = goArchitectures[process.arch] ?? process.arch;
  return `${named} (${platform}/${architecture}) kubewright/${packageVersion}`;
}

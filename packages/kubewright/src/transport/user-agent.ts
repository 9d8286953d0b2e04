/** The version of this package; a test compares it with package.json. */
export const packageVersion = "0.1.0";

const goPlatforms: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };

/**
 * Returns a user agent in client-go's format: `name/version (os/arch) kubewright/version`.
 *
 * `client` is a name, or a name with its version (`sample/1.2.0`). A string with spaces is a complete user agent and stays unchanged.
 */
export function userAgentOf(client: string): string {
  if (client.includes(" ")) return client;
  const named = client.includes("/") ? client : `${client || "unknown"}/unknown`;
  const platform = goPlatforms[process.platform] ?? process.platform;
  const architecture = goArchitectures[process.arch] ?? process.arch;
  return `${named} (${platform}/${architecture}) kubewright/${packageVersion}`;
}

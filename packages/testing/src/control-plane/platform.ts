/** Why a real control plane cannot run on this platform, and what to use instead; undefined where it can. */
export function unsupportedReason(platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== "win32") return undefined;
  return "it is not supported on Windows; use the embedded cluster, set USE_EXISTING_CLUSTER=true, or run in WSL";
}

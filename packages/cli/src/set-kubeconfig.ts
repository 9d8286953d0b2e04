/** The shell command that selects a kubeconfig: PowerShell's on Windows, a POSIX shell's elsewhere. */
export function setKubeconfig(file: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `$env:KUBECONFIG = "${file}"` : `export KUBECONFIG=${file}`;
}

/** Whether an address serves only clients that are authorized, or on this machine. */
export function isGuarded(address: string, isAuthorized: boolean): boolean {
  return isAuthorized || /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$/.test(address);
}

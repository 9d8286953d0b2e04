/** kube-scheduler's FitError message: `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.` */
export function fitErrorMessage(nodeCount: number, reasons: readonly string[], whole?: string): string {
  const start = `0/${nodeCount} nodes are available:`;
  if (whole !== undefined) return `${start} ${whole}.`;
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  // Sorted as strings like in kube-scheduler, so that 10 comes before 2.
  const listed = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return listed.length === 0 ? start : `${start} ${listed.join(", ")}.`;
}

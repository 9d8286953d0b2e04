/** The content type of the Prometheus text format. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

/** Name, type and help of a metric. */
export interface MetricHead {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

/** A metric in the Prometheus text format, with samples from {@link sample}. */
export function metric({ name, type, help }: MetricHead, samples: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples}`;
}

/** One sample line of the Prometheus text format; `labels` come from {@link labelsOf} and may be empty. */
export function sample(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}\n` : `${name}{${labels}} ${value}\n`;
}

/** Labels in the Prometheus text format, without the braces. */
export function labelsOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`)
    .join(",");
}

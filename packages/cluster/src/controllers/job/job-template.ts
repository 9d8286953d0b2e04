import { podFromTemplate, type TemplateView } from "../pod/index.js";
import { failuresAnnotation, ignoredAnnotation, indexAnnotation, type JobView, trackingFinalizer } from "./job-pods.js";

type Containers = NonNullable<TemplateView["spec"]>["containers"];

const indexVariable = "JOB_COMPLETION_INDEX";
/** The server truncates generateName to this length. */
const maxPrefix = 58;

/** A Pod to create, and its name prefix. */
export interface JobPod {
  readonly prefix: string;
  readonly body: TemplateView;
}

/** Returns a function that builds the Pod template of an index, with its failure counts if backoffLimitPerIndex is set. */
export function jobTemplate(
  job: JobView,
): (index: number | undefined, failures: { readonly counted: number; readonly ignored: number } | undefined) => JobPod {
  const { name } = job.metadata;
  const { metadata, spec } = podFromTemplate(job.spec?.template ?? {});
  const { finalizers = [] } = metadata;
  const tracked = {
    ...metadata,
    finalizers: finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer],
  };
  return (index, failures) => {
    if (index === undefined) return { prefix: name, body: { metadata: tracked, spec } };
    const suffix = `-${index}`;
    const annotations = {
      ...tracked.annotations,
      [indexAnnotation]: `${index}`,
      ...(failures && { [failuresAnnotation]: `${failures.counted}` }),
      ...(failures && failures.ignored > 0 && { [ignoredAnnotation]: `${failures.ignored}` }),
    };
    const { initContainers, containers } = spec;
    return {
      prefix: `${name.slice(0, maxPrefix - 1 - suffix.length)}${suffix}`,
      body: {
        metadata: { ...tracked, annotations, labels: { ...tracked.labels, [indexAnnotation]: `${index}` } },
        spec: {
          ...spec,
          hostname: `${name}${suffix}`,
          ...(initContainers && { initContainers: withIndex(initContainers) }),
          containers: withIndex(containers),
        },
      },
    };
  };
}

/** Adds the environment variable JOB_COMPLETION_INDEX. */
function withIndex(containers: Containers): Containers {
  const variable = {
    name: indexVariable,
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } },
  };
  return containers.map((container) =>
    container.env?.some(({ name }) => name === indexVariable)
      ? container
      : { ...container, env: [...(container.env ?? []), variable] },
  );
}

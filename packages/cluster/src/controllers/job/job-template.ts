import { podFromTemplate, type TemplateView } from "../pod/index.js";
import { failuresAnnotation, ignoredAnnotation, indexAnnotation, type JobView, trackingFinalizer } from "./job-pods.js";

type Containers = NonNullable<TemplateView["spec"]>["containers"];

const indexVariable = "JOB_COMPLETION_INDEX";
/** Names that the server completes are cut to this length. */
const longestPrefix = 58;

/** A pod to be made, and what its name begins with. */
export interface JobPod {
  readonly prefix: string;
  readonly body: TemplateView;
}

/** Makes the templates of a Job's pods: of an index, with how often it has failed where that is counted. */
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
    const ending = `-${index}`;
    const annotations = {
      ...tracked.annotations,
      [indexAnnotation]: `${index}`,
      ...(failures && { [failuresAnnotation]: `${failures.counted}` }),
      ...(failures && failures.ignored > 0 && { [ignoredAnnotation]: `${failures.ignored}` }),
    };
    const { initContainers, containers } = spec;
    return {
      prefix: `${name.slice(0, longestPrefix - 1 - ending.length)}${ending}`,
      body: {
        metadata: { ...tracked, annotations, labels: { ...tracked.labels, [indexAnnotation]: `${index}` } },
        spec: {
          ...spec,
          hostname: `${name}${ending}`,
          ...(initContainers && { initContainers: withIndex(initContainers) }),
          containers: withIndex(containers),
        },
      },
    };
  };
}

/** Containers that are told their index. */
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

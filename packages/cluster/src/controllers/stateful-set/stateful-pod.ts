import { type PodBody, type PodView, podFromTemplate, podNamePrefix, type TemplateView } from "../pod/index.js";
import { identityOf, ordinalOf, podNameOf, type SetView } from "./ordinals.js";
import { pvcNameOf } from "./pvc-owners.js";

const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";
/** On a Pod: the name of its ControllerRevision. */
export const revisionLabel = "controller-revision-hash";

type Volumes = PodBody["spec"]["volumes"];

/** A Pod to create. */
export type NewStatefulPod = PodBody & {
  readonly metadata: PodBody["metadata"] & { readonly name: string; readonly generateName: string };
};

/** Builds the Pod of an ordinal from a template and its revision name. */
export function newStatefulPod(
  set: SetView,
  {
    ordinal,
    template,
    revision,
  }: { readonly ordinal: number; readonly template: TemplateView; readonly revision: string },
): NewStatefulPod {
  const { metadata, spec } = podFromTemplate(template);
  const name = podNameOf(set, ordinal);
  const labels = { ...metadata.labels, ...identityLabels(name, ordinal), [revisionLabel]: revision };
  const { serviceName = "" } = set.spec;
  return {
    metadata: { ...metadata, name, generateName: podNamePrefix(set.metadata.name), labels },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName !== "" && { subdomain: serviceName }),
      volumes: volumesOf(set, ordinal, spec.volumes),
    },
  };
}

/** The merge patch that restores the identity and storage of a Pod; undefined if both match. */
export function repairOf(set: SetView, pod: PodView): Readonly<Record<string, unknown>> | undefined {
  const { name, labels } = pod.metadata;
  const ordinal = ordinalOf(pod);
  const hasIdentity = identityOf(name).parent === set.metadata.name && labels?.[podNameLabel] === name;
  const hasStorage = storageMatches(set, pod);
  if (hasIdentity && hasStorage) return undefined;
  return {
    metadata: { uid: pod.metadata.uid, labels: identityLabels(name, ordinal) },
    // The server rejects this, because Pod volumes are immutable. The FailedUpdate event then shows the reason.
    ...(!hasStorage && { spec: { volumes: volumesOf(set, ordinal, pod.spec?.volumes) } }),
  };
}

function identityLabels(name: string, ordinal: number): Readonly<Record<string, string>> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

function storageMatches(set: SetView, pod: PodView): boolean {
  const claims = new Map(
    pod.spec?.volumes?.map(({ name, persistentVolumeClaim }) => [name, persistentVolumeClaim?.claimName]),
  );
  const ordinal = ordinalOf(pod);
  return (set.spec.volumeClaimTemplates ?? []).every(
    ({ metadata }) => claims.get(metadata?.name ?? "") === pvcNameOf(set, metadata?.name ?? "", ordinal),
  );
}

/** A volume for each PVC, and the other volumes of the template. */
function volumesOf(set: SetView, ordinal: number, own: Volumes): Volumes {
  const names = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? "");
  const claimed = names.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: pvcNameOf(set, name, ordinal) },
  }));
  const others = (own ?? []).filter(({ name }) => !names.includes(name));
  return claimed.length + others.length === 0 ? own : [...claimed, ...others];
}

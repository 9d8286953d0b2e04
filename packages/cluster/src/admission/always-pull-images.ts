import type { JsonObject } from "@kubewright/core/json";
import { type AdmissionRequest, ApiFailure, draftsIn, listAt, objectAt, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

const containerLists = ["initContainers", "containers", "ephemeralContainers"];

/** AlwaysPullImages: sets the imagePullPolicy of every container to Always, so that a pod needs credentials for its images. */
export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  resources: ["pods"],
  mutate(request) {
    if (!concerns(request)) return;
    const spec = objectAt(request.object, "spec");
    for (const list of containerLists)
      for (const container of draftsIn(listAt(spec, list) as never)) container["imagePullPolicy"] = "Always";
    for (const volume of draftsIn(listAt(spec, "volumes") as never)) {
      const image = volume["image"];
      if (typeof image === "object" && image !== null && !Array.isArray(image)) image["pullPolicy"] = "Always";
    }
  },
  validate(request) {
    if (!concerns(request)) return;
    const problems = unsupported(objectAt(request.object, "spec")).map((why) => rejected(request, why).message);
    // Go joins the errors, which loses their status.
    if (problems.length > 0)
      throw new ApiFailure(500, "", problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`);
  },
};

/** Creates, and updates that add an image. */
function concerns({ operation, subresource, object, old }: AdmissionRequest): boolean {
  if (subresource !== "" || (operation !== "CREATE" && operation !== "UPDATE")) return false;
  if (old === undefined) return true;
  const known = imagesOf(old);
  return imagesOf(object).some((image) => !known.includes(image));
}

function containersOf(spec: JsonObject): readonly (readonly [JsonObject, string])[] {
  return containerLists.flatMap((list) =>
    (listAt(spec, list) as readonly JsonObject[]).map((one, index) => [one, `spec.${list}[${index}]`] as const),
  );
}

function imagesOf(pod: JsonObject): readonly string[] {
  return containersOf(objectAt(pod, "spec")).map(([container]) => textAt(container, "image"));
}

function unsupported(spec: JsonObject): string[] {
  const describe = (at: string, policy: string): string =>
    `${at}: Unsupported value: ${JSON.stringify(policy)}: supported values: "Always"`;
  const ofContainers = containersOf(spec).flatMap(([container, at]) => {
    const policy = textAt(container, "imagePullPolicy");
    return policy === "Always" ? [] : [describe(`${at}.imagePullPolicy`, policy)];
  });
  const ofVolumes = (listAt(spec, "volumes") as readonly JsonObject[]).flatMap((volume, index) => {
    const policy = textAt(objectAt(volume, "image"), "pullPolicy");
    const isWrong = volume["image"] !== undefined && policy !== "Always";
    return isWrong ? [describe(`spec.volumes[${index}].image.pullPolicy`, policy)] : [];
  });
  return [...ofContainers, ...ofVolumes];
}

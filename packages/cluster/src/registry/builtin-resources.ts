import { qualifiedResource } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { type BuiltinData, builtinData, builtinSchema } from "./builtin-api.js";
import { definitionStrategy } from "./definitions/index.js";
import { type Draft, draftOf, isDraft, objectAt } from "./draft.js";
import { emptyGoValue, type KindEntry, kindOf, settleGoValues } from "./kinds/index.js";
import type { Resource, Strategy } from "./resource.js";

/** The bucket of the definitions of custom resources. */
export const definitionsBucket = "customresourcedefinitions.apiextensions.k8s.io";

/** The bucket of namespaces. */
export const namespacesBucket = "namespaces";

/** Every built-in resource that this server serves. */
export function builtinResources(): Resource[] {
  return builtinData().flatMap((data) => {
    if (data.kind === "CustomResourceDefinition") return [makeResource(data, { strategy: definitionStrategy })];
    const entry = kindOf(data);
    return entry ? [makeResource(data, withGoValues(data, entry))] : [];
  });
}

/** The same kind, whose objects take the form of their Go type before anything else looks at them. */
function withGoValues(data: BuiltinData, entry: KindEntry): KindEntry {
  const { strategy } = entry;
  let empty: JsonObject | undefined;
  const wrapped: Strategy = {
    ...strategy,
    applyDefaults(draft: Draft) {
      settleGoValues(draft, builtinSchema(data.schema));
      strategy.applyDefaults?.(draft);
    },
    prepareNew(draft: Draft) {
      strategy.prepareNew?.(draft);
      // A status that was emptied is still a value of its type.
      const status = draft["status"];
      const bare = objectAt(wrapped.empty ?? {}, "status");
      if (isDraft(status) && Object.keys(status).length === 0) draft["status"] = draftOf(bare);
    },
    // Made when it is first asked for: schemas are resolved as late as can be.
    get empty() {
      empty ??= strategy.empty ?? emptyGoValue(builtinSchema(data.schema));
      return empty;
    },
  };
  return { ...entry, strategy: wrapped };
}

function makeResource(
  data: BuiltinData,
  { strategy, stored, internalGroup, scale, deprecationWarning }: KindEntry,
): Resource {
  const { schema: component, listSchema: _, ...shared } = data;
  return {
    ...shared,
    listKind: `${data.kind}List`,
    bucket: stored?.bucket ?? qualifiedResource(data.group, data.plural),
    strategy,
    origin: "builtin",
    component,
    ...(internalGroup === undefined ? {} : { internalGroup }),
    schema: () => builtinSchema(component),
    ...(scale === undefined ? {} : { scale }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    fromStored(object) {
      return stored ? Object.freeze(stored.from(object)) : object;
    },
    toStored: (object) => (stored ? stored.to(object) : object),
  };
}

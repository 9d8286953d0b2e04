import type { KindVersions } from "@kubewright/core/apply";
import { formatApiVersion, qualifiedResource } from "@kubewright/core/identity";
import type { JsonObject } from "@kubewright/core/json";
import { type BuiltinData, builtinData, builtinSchema } from "./builtin-api.js";
import { definitionStrategy } from "./definitions/index.js";
import { type Draft, draftOf, isDraft, objectAt } from "./draft.js";
import { type KindEntry, kindOf } from "./kinds/index.js";
import { emptyObject, omitEmpty } from "./omit-empty.js";
import type { Resource } from "./resource.js";
import type { Strategy } from "./strategy.js";

/** The storage bucket of CustomResourceDefinitions. */
export const definitionsBucket = "customresourcedefinitions.apiextensions.k8s.io";

/** The storage bucket of Namespaces. */
export const namespacesBucket = "namespaces";

/** Every built-in resource that this server serves. */
export function builtinResources(): Resource[] {
  const forms = new Map<string, Map<string, Form>>();
  return builtinData().flatMap((data) => {
    if (data.kind === "CustomResourceDefinition") return [makeResource(data, { strategy: definitionStrategy }, forms)];
    const entry = kindOf(data);
    return entry ? [makeResource(data, withOmitEmpty(data, entry), forms)] : [];
  });
}

/** One served version of a kind. */
interface Form {
  readonly component: string;
  readonly stored: KindEntry["stored"];
}

/** The versions of one kind, by apiVersion. */
function versionsOf(forms: ReadonlyMap<string, Form>): KindVersions {
  return {
    schema(apiVersion) {
      const form = forms.get(apiVersion);
      return form && builtinSchema(form.component);
    },
    convert(object, from, to) {
      const stored = forms.get(from)?.stored?.to(object) ?? object;
      return forms.get(to)?.stored?.from(stored) ?? stored;
    },
  };
}

/** The same kind, with Go's `omitempty` applied to an object before its defaults. */
function withOmitEmpty(data: BuiltinData, entry: KindEntry): KindEntry {
  const { strategy } = entry;
  let empty: JsonObject | undefined;
  const wrapped: Strategy = {
    ...strategy,
    applyDefaults(draft: Draft) {
      omitEmpty(draft, builtinSchema(data.schema));
      strategy.applyDefaults?.(draft);
    },
    prepareForCreate(draft, context) {
      strategy.prepareForCreate?.(draft, context);
      // Go encodes the fields of an empty status that have no `omitempty`.
      const status = draft["status"];
      const bare = objectAt(wrapped.fields?.empty ?? {}, "status");
      if (isDraft(status) && Object.keys(status).length === 0) draft["status"] = draftOf(bare);
    },
    fields: {
      ...strategy.fields,
      // Lazy: schemas are resolved on first use.
      get empty() {
        empty ??= strategy.fields?.empty ?? emptyObject(builtinSchema(data.schema));
        return empty;
      },
    },
  };
  return { ...entry, strategy: wrapped };
}

function makeResource(
  data: BuiltinData,
  { strategy, stored, scale, deprecationWarning }: KindEntry,
  allForms: Map<string, Map<string, Form>>,
): Resource {
  const { schema: component, listSchema: _, ...shared } = data;
  // Versions are per group: field ownership through one group does not count in another.
  const id = qualifiedResource(data.group, data.plural);
  const forms = allForms.get(id) ?? new Map<string, Form>();
  allForms.set(id, forms.set(formatApiVersion(data.group, data.version), { component, stored }));
  return {
    ...shared,
    listKind: `${data.kind}List`,
    bucket: stored?.bucket ?? id,
    strategy,
    origin: "builtin",
    component,
    schema: () => builtinSchema(component),
    versions: versionsOf(forms),
    ...(scale === undefined ? {} : { scale }),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    fromStored(object) {
      return stored ? Object.freeze(stored.from(object)) : object;
    },
    toStored(draft) {
      if (!stored) return draft;
      const result = stored.to(draft) as Draft;
      stored.applyDefaults?.(result);
      return result;
    },
  };
}

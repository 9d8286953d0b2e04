import { OperatorError } from "@kubewright/core/errors";
import type { Client, JsonPatchOperation } from "../../client/index.js";
import type { AnyKind, ReadOf } from "../../definition/index.js";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../k8s/admissionregistration/v1.gen.js";
import { CustomResourceDefinition } from "../../k8s/apiextensions/v1.gen.js";
import { Secret } from "../../k8s/core/v1.gen.js";
import type { CertificateState } from "./certificate-state.js";
import type { CertificateStore, StoredTarget, VersionedState } from "./certificate-store.js";
import { readAuthoritiesNamed } from "./read-certificate.js";
import { decodeState, encodeState } from "./secret-data.js";

/** The objects whose caBundles are published, by name. */
export interface CertificateTargets {
  /** Names of MutatingWebhookConfigurations. @default none */
  readonly mutating?: readonly string[];
  /** Names of ValidatingWebhookConfigurations. @default none */
  readonly validating?: readonly string[];
  /** Names of CustomResourceDefinitions with a conversion webhook. @default none */
  readonly crds?: readonly string[];
}

/** Which objects share the state. */
export interface ClusterStoreOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly secretName: string;
  readonly targets: CertificateTargets;
  readonly fieldManager: string;
  /** The common name of the CAs. */
  readonly authorityName: string;
}

/** A client configuration of a webhook, and where it is in its object. */
interface ClientConfigs {
  readonly pointer: string;
  readonly caBundle?: string | undefined;
}

/** One kind of target. */
interface TargetKind<K extends AnyKind> {
  readonly kind: K;
  readonly names: readonly string[];
  readonly configs: (object: ReadOf<K>) => readonly ClientConfigs[];
}

/** A target, and the JSON pointers of its client configurations. */
interface ConfiguredTarget extends StoredTarget {
  readonly kind: AnyKind;
  readonly name: string;
  readonly pointers: readonly string[];
}

/** The Secret as it was read. */
interface SecretState extends VersionedState {
  readonly secret: ReadOf<typeof Secret>;
}

/** The Secret, and the targets, of a cluster. */
export class ClusterStore implements CertificateStore<ConfiguredTarget, SecretState> {
  readonly #options: ClusterStoreOptions;

  constructor(options: ClusterStoreOptions) {
    this.#options = options;
  }

  async readTargets(signal: AbortSignal): Promise<readonly ConfiguredTarget[]> {
    const { mutating = [], validating = [], crds = [] } = this.#options.targets;
    const all = await Promise.all([
      this.#read({ kind: MutatingWebhookConfiguration, names: mutating, configs: webhookConfigs }, signal),
      this.#read({ kind: ValidatingWebhookConfiguration, names: validating, configs: webhookConfigs }, signal),
      this.#read({ kind: CustomResourceDefinition, names: crds, configs: conversionConfigs }, signal),
    ]);
    return all.flat();
  }

  async #read<K extends AnyKind>(
    { kind, names, configs }: TargetKind<K>,
    signal: AbortSignal,
  ): Promise<ConfiguredTarget[]> {
    const { client, authorityName } = this.#options;
    const found = await Promise.all(
      names.map(async (name): Promise<ConfiguredTarget[]> => {
        const object = await client.find(kind, name as never, { signal });
        if (object === undefined) return [];
        const { metadata } = object as { readonly metadata: { readonly resourceVersion: string } };
        const found = configs(object);
        const bundles = found.map(({ caBundle = "" }) => Buffer.from(caBundle, "base64").toString("utf8"));
        return [
          {
            id: `${kind.kind}/${name}`,
            kind,
            name,
            version: metadata.resourceVersion,
            bundles,
            pointers: found.map(({ pointer }) => pointer),
            authorities: bundles.flatMap((bundle) => readAuthoritiesNamed(authorityName, bundle)),
          },
        ];
      }),
    );
    return found.flat();
  }

  async readState(signal: AbortSignal): Promise<SecretState | undefined> {
    const { client, namespace, secretName } = this.#options;
    const secret = await client.find(Secret, { namespace, name: secretName }, { signal });
    if (secret === undefined) return undefined;
    const issuer = secret.metadata.annotations?.["cert-manager.io/certificate-name"];
    if (issuer !== undefined)
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot manage the webhook certificate in Secret "${namespace}/${secretName}": cert-manager writes it for Certificate "${issuer}"; use another Secret, or serve its files`,
      );
    return { ...decodeState(secret.data ?? {}), version: secret.metadata.resourceVersion, secret };
  }

  async writeState(state: CertificateState, read: SecretState | undefined, signal: AbortSignal): Promise<void> {
    const { client, namespace, secretName: name, fieldManager } = this.#options;
    const options = { fieldManager, signal };
    if (read === undefined) {
      const metadata = { namespace, name };
      await client.create(Secret, { metadata, type: "kubernetes.io/tls", data: encodeState(state) }, options);
      return;
    }
    await client.update(Secret, { ...read.secret, data: encodeState(state, read.secret.data) }, options);
  }

  async publish(target: ConfiguredTarget, bundle: string, signal: AbortSignal): Promise<void> {
    const { kind, name, pointers, version } = target;
    const value = Buffer.from(bundle, "utf8").toString("base64");
    const json: JsonPatchOperation[] = [
      // Rejected with a conflict if the object has changed.
      { op: "replace", path: "/metadata/resourceVersion", value: version },
      ...pointers.map((path) => ({ op: "add" as const, path: `${path}/caBundle`, value })),
    ];
    const { client, fieldManager } = this.#options;
    await client.patch(kind, name as never, { json }, { fieldManager, signal });
  }
}

function webhookConfigs({
  webhooks = [],
}: {
  readonly webhooks?: readonly { readonly clientConfig: { readonly caBundle?: string | undefined } }[] | undefined;
}): ClientConfigs[] {
  return webhooks.map(({ clientConfig }, index) => ({
    pointer: `/webhooks/${index}/clientConfig`,
    caBundle: clientConfig.caBundle,
  }));
}

function conversionConfigs({ spec }: ReadOf<typeof CustomResourceDefinition>): ClientConfigs[] {
  const clientConfig = spec.conversion?.webhook?.clientConfig;
  return clientConfig === undefined
    ? []
    : [{ pointer: "/spec/conversion/webhook/clientConfig", caBundle: clientConfig.caBundle }];
}

/**
 * `kubewright install`, `uninstall`, `deploy` and `undeploy`: an operator's objects in a cluster.
 *
 * @module
 */
import { generateManifests, installerFile } from "@kubewright/codegen";
import { isNotFound, OperatorError } from "@kubewright/core/errors";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Client, Operator } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { parseAllDocuments } from "yaml";
import { ApplySet } from "../apply-set/index.js";
import type { CommandStreams } from "../command-streams.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { connectTo, loadOperator, type TargetOptions } from "../load-operator.js";
import { startProgress } from "../progress.js";
import { type ApplyCrdsOptions, applyCrds, crdName } from "./apply-crds.js";
import { hasOnlySimulatedNodes, waitForRollout } from "./deployment-progress.js";
import { AppliedPrinter } from "./print-applied.js";

export { hasOnlySimulatedNodes };

/** The options that all four commands have. */
export interface DeployTargetOptions extends TargetOptions {
  readonly dryRun?: boolean;
  readonly output: string;
}

/** The options of `kubewright uninstall`. */
export interface UninstallOptions extends DeployTargetOptions {
  readonly force?: boolean;
}

/** The options of `kubewright undeploy`. */
export interface UndeployOptions extends DeployTargetOptions {
  readonly namespace?: string;
}

/** The options of `kubewright deploy`. */
export interface DeployOptions extends UndeployOptions {
  readonly image: string;
  readonly namespaced?: boolean;
  readonly certManager?: boolean;
  readonly timeout: string;
  readonly wait: boolean;
}

/** Applies the CRDs of an operator. */
export async function installCommand(
  module: string,
  options: DeployTargetOptions,
  streams: CommandStreams,
): Promise<ExitCode> {
  const operator = await loadOperator(module);
  await using client = await connectTo(options);
  const printer = new AppliedPrinter(streams, options);
  const dryRun = options.dryRun === true;
  await installOperator(client, operator, { dryRun, report: printer.report, signal: streams.signal });
  printer.finish();
  return exitCodes.done;
}

/** Applies the CRDs of an operator as `deploy` does: its conversions are served by the Service that `deploy` applies. */
export async function installOperator(client: Client, operator: Operator, options: ApplyCrdsOptions): Promise<void> {
  await applyCrds(client, crdsOf(objectsOf(operator, { namespace: namespaceOf(operator, {}) })), options);
}

/** Deletes the CRDs of an operator. Rejects with CONFIG_INVALID while objects of them exist, unless `force`. */
export async function uninstallCommand(
  module: string,
  options: UninstallOptions,
  streams: CommandStreams,
): Promise<ExitCode> {
  const operator = await loadOperator(module);
  await using client = await connectTo(options);
  const printer = new AppliedPrinter(streams, options);
  const names = crdsOf(objectsOf(operator)).map(crdName);
  if (options.force !== true) await refuseWithObjects(client, names);
  for (const name of names) {
    const deleted = await client.delete(CustomResourceDefinition, name, { dryRun: options.dryRun === true }).then(
      () => true,
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
        return false;
      },
    );
    if (deleted)
      printer.report({
        object: `customresourcedefinition.apiextensions.k8s.io/${name}`,
        result: "deleted",
        changes: [],
      });
  }
  printer.finish();
  return exitCodes.done;
}

/** Applies everything that an operator needs, and waits until its Deployment is available. */
export async function deployCommand(
  module: string,
  options: DeployOptions,
  streams: CommandStreams,
): Promise<ExitCode> {
  const { dryRun = false, image, namespaced = false, certManager = false, timeout, wait } = options;
  const operator = await loadOperator(module);
  await using client = await connectTo(options);
  const namespace = namespaceOf(operator, options);
  await using progress = await startProgress(streams, options.output);
  const printer = new AppliedPrinter(streams, options, progress);
  const objects = objectsOf(operator, { namespace, image, namespaced, certManager });
  await applyCrds(client, crdsOf(objects), { dryRun, report: printer.report, signal: streams.signal });
  const others = objects.filter(({ kind }) => kind !== "CustomResourceDefinition");
  const set = new ApplySet(client, { name: setName(operator), namespace });
  await set.apply(others, { dryRun, report: printer.report, signal: streams.signal });
  if (wait && !dryRun) {
    const report = (step: string): void => printer.step(`waiting for deployment.apps/${operator.name}: ${step}`);
    await waitForRollout(client, { namespace, name: operator.name }, { timeout, report, signal: streams.signal });
  }
  printer.finish();
  if (await hasOnlySimulatedNodes(client))
    streams.err.write("warning: the nodes of this cluster are simulated: Pods become ready, but no container runs\n");
  return exitCodes.done;
}

/** Deletes what {@link deployCommand} applied, except CRDs. */
export async function undeployCommand(
  module: string,
  options: UndeployOptions,
  streams: CommandStreams,
): Promise<ExitCode> {
  const operator = await loadOperator(module);
  await using client = await connectTo(options);
  const namespace = namespaceOf(operator, options);
  const printer = new AppliedPrinter(streams, options);
  const set = new ApplySet(client, { name: setName(operator), namespace });
  if (!(await set.exists()))
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot undeploy "${operator.name}": it is not deployed in the namespace "${namespace}" by kubewright deploy; use -n for another one`,
    );
  await set.delete({ dryRun: options.dryRun === true, report: printer.report, signal: streams.signal });
  printer.finish();
  return exitCodes.done;
}

function namespaceOf({ name }: Operator, { namespace = `${name}-system` }: Pick<UndeployOptions, "namespace">): string {
  return namespace;
}

function setName({ name }: Operator): string {
  return `kubewright-${name}`;
}

/** The objects of the manifests that `kubewright generate` writes, without samples. */
function objectsOf(
  operator: Operator,
  options: Omit<Parameters<typeof generateManifests>[0], "operators"> = {},
): JsonObject[] {
  const { text } = installerFile(generateManifests({ ...options, operators: [operator] }));
  return parseAllDocuments(text)
    .map((document) => document.toJS() as unknown)
    .filter((value) => isJsonObject(value));
}

function crdsOf(objects: readonly JsonObject[]): JsonObject[] {
  return objects.filter(({ kind }) => kind === "CustomResourceDefinition");
}

async function refuseWithObjects(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const crd = await client.find(CustomResourceDefinition, name);
    if (crd === undefined) continue;
    const version = crd.spec.versions.find(({ served }) => served)?.name;
    if (version === undefined) continue;
    const kind = await client.kind(`${crd.spec.group}/${version}/${crd.spec.names.kind}`);
    const { items, remainingItemCount: others = 0 } = await client.listPage(kind, {
      allNamespaces: kind.scope === "Namespaced",
      limit: 1,
    });
    if (items.length > 0)
      throw new OperatorError(
        "CONFIG_INVALID",
        `Cannot delete CustomResourceDefinition "${name}": deleting it would delete its objects (${items.length + others}); delete them first, or use --force`,
      );
  }
}

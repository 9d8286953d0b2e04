/**
 * The cases, by subject.
 *
 * @module
 */
import type { Subject } from "../test-case.js";
import { accessOfUsers } from "./access.js";
import { accessReviews } from "./access-reviews.js";
import { admissionDefaults } from "./admission-defaults.js";
import { admissionPermissions } from "./admission-permissions.js";
import { applies, applyConflicts } from "./apply.js";
import { applyOwnership } from "./apply-ownership.js";
import { builtinKinds, namespaces } from "./builtin-kinds.js";
import { clients } from "./clients.js";
import { conversionWebhooks } from "./conversion-webhooks.js";
import { crdLifecycle } from "./crd-lifecycle.js";
import { crdRules, ruleChecks } from "./crd-rules.js";
import { crdCases } from "./crds.js";
import { create } from "./create.js";
import { customResources } from "./custom-resources.js";
import { deletes, finalizers, owners } from "./delete.js";
import { discovery, openApi } from "./discovery.js";
import { errors } from "./errors.js";
import { fieldSelectors } from "./field-selectors.js";
import { int64s } from "./int64.js";
import { accessKinds } from "./kinds-access.js";
import { clusterKinds } from "./kinds-cluster.js";
import { kindDetails } from "./kinds-details.js";
import { fuzzedKinds } from "./kinds-fuzzed.js";
import { networkKinds } from "./kinds-network.js";
import { podKinds } from "./kinds-pods.js";
import { serviceKinds } from "./kinds-services.js";
import { storageKinds } from "./kinds-storage.js";
import { kindSubresources } from "./kinds-subresources.js";
import { kindVersions } from "./kinds-versions.js";
import { workloadKinds } from "./kinds-workloads.js";
import { limitRangeCases } from "./limit-ranges.js";
import { lists, selectors } from "./list.js";
import { malformedBodies } from "./malformed-bodies.js";
import { metadataRules } from "./metadata-rules.js";
import { mutatingPolicyCases } from "./mutating-policies.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";
import { nodeRestrictionCases } from "./node-restriction.js";
import { patchJson, patchMerge, patchStrategic } from "./patch.js";
import { patchEdges } from "./patch-edges.js";
import { podLogs } from "./pod-logs.js";
import { podSecurityCases } from "./pod-security.js";
import { policyChecks } from "./policy-checks.js";
import { quotaCases } from "./quotas.js";
import { schemaRules } from "./schema-rules.js";
import { schemaValues } from "./schema-values.js";
import { serviceAccountCases } from "./service-accounts.js";
import { scales, status } from "./subresources.js";
import { tokens } from "./tokens.js";
import { update } from "./update.js";
import { validatingPolicyCases } from "./validating-policies.js";
import { dryRun, fieldValidation } from "./validation.js";
import { views } from "./views.js";
import { watches } from "./watch.js";
import { webhookDenials } from "./webhook-denials.js";
import { webhookMatching } from "./webhook-matching.js";
import { webhookPatches } from "./webhook-patches.js";
import { webhookRequests } from "./webhook-requests.js";
import { webhookResponses } from "./webhook-responses.js";
import { yamlBodies } from "./yaml-bodies.js";

/** Every subject, in the order of their names in the README. */
export const subjects: readonly Subject[] = [
  create,
  update,
  patchJson,
  patchMerge,
  patchStrategic,
  patchEdges,
  applies,
  applyConflicts,
  applyOwnership,
  deletes,
  finalizers,
  owners,
  metadataRules,
  namespaces,
  namespaceLifecycle,
  lists,
  selectors,
  fieldSelectors,
  watches,
  fieldValidation,
  dryRun,
  status,
  scales,
  views,
  discovery,
  openApi,
  crdCases,
  policyChecks,
  validatingPolicyCases,
  mutatingPolicyCases,
  crdLifecycle,
  customResources,
  schemaRules,
  ruleChecks,
  crdRules,
  schemaValues,
  builtinKinds,
  podKinds,
  kindDetails,
  fuzzedKinds,
  workloadKinds,
  kindSubresources,
  kindVersions,
  networkKinds,
  serviceKinds,
  storageKinds,
  accessKinds,
  clusterKinds,
  quotaCases,
  limitRangeCases,
  podSecurityCases,
  serviceAccountCases,
  nodeRestrictionCases,
  admissionDefaults,
  admissionPermissions,
  tokens,
  accessOfUsers,
  accessReviews,
  podLogs,
  clients,
  errors,
  malformedBodies,
  yamlBodies,
  int64s,
  webhookMatching,
  webhookRequests,
  webhookDenials,
  webhookPatches,
  webhookResponses,
  conversionWebhooks,
];

import { systemClock } from "@kubewright/core/clock";
import { kubeconfigText, startControlPlane } from "@kubewright/testing/control-plane";
import { createClient, defineResource, installCRDs, z } from "kubewright";
import { ClusterRole, ClusterRoleBinding } from "kubewright/k8s/rbac/v1";
import { deriveRules } from "kubewright/permissions";
import { HttpsTransport, parseKubeconfig } from "kubewright/transport";
import { expect, test } from "vitest";

const Pool = defineResource({ group: "example.com", kind: "Pool", versions: { v1: { spec: z.object({}) } } });

test("the derived permissions are sufficient to install and upgrade CRDs on a real server", async () => {
  const plane = await startControlPlane();
  const transports: HttpsTransport[] = [];
  const clientOf = async (user: typeof plane.admin) => {
    const connection = await parseKubeconfig([{ file: "kubeconfig", text: kubeconfigText(plane, user) }]);
    const transport = new HttpsTransport(connection, { clock: systemClock });
    transports.push(transport);
    return createClient(transport);
  };
  try {
    const admin = await clientOf(plane.admin);
    const metadata = { name: "pools" };
    const rules = deriveRules([], { installCRDs: true }).map((rule) => ({ ...rule })) as never;
    await admin.create(ClusterRole, { metadata, rules });
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: plane.restricted.name }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "pools" };
    await admin.create(ClusterRoleBinding, { metadata, subjects, roleRef });
    const options = { client: await clientOf(plane.restricted), clock: systemClock, fieldManager: "pools" };
    await installCRDs([Pool], options);
    await installCRDs([Pool], options);
    expect((await admin.listPage(Pool)).items).toEqual([]);
  } finally {
    for (const transport of transports) await transport.close();
    await plane.stop();
  }
}, 120_000);

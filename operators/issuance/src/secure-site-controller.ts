import { controller } from "kubewright";
import { Ingress } from "kubewright/k8s/networking/v1";
import { Certificate } from "./certificate.js";
import { SecureSite } from "./secure-site.js";

/**
 * Reconciles a Certificate per SecureSite, and an Ingress as soon as the certificate is issued.
 *
 * The Certificate is a kind of another project (`external`): this operator writes its objects, and never its CRD.
 */
export const secureSiteController = controller(SecureSite, {
  owns: [Certificate, Ingress],
  reconcile: async ({ object, apply, conditions, status }) => {
    const { name } = object.metadata;
    const { host, service, port, issuer } = object.spec;
    const secretName = `${name}-tls`;
    const certificate = await apply(Certificate, {
      metadata: { name },
      spec: { secretName, dnsNames: [host], issuerRef: { name: issuer, kind: "ClusterIssuer" } },
    });
    status.certificateExpires = certificate.status?.notAfter;
    const issued = certificate.status?.conditions?.find(({ type }) => type === "Ready");
    if (issued?.status !== "True") {
      const message = issued?.message ?? `Certificate "${name}" has no condition Ready yet`;
      conditions.set("Ready", { status: false, reason: "CertificatePending", message });
      return; // A change of the Certificate triggers the next run. An Ingress of an earlier certificate stays.
    }
    const backend = { service: { name: service, port: { number: port } } };
    await apply(Ingress, {
      metadata: { name },
      spec: {
        tls: [{ hosts: [host], secretName }],
        rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      },
    });
    conditions.set("Ready", { status: true, reason: "Serving" });
  },
});

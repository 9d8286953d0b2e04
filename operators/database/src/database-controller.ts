import { createHash, randomBytes } from "node:crypto";
import { controller } from "kubewright";
import { StatefulSet } from "kubewright/k8s/apps/v1";
import { Job } from "kubewright/k8s/batch/v1";
import { Secret, Service } from "kubewright/k8s/core/v1";
import { dueBackup } from "./backup-schedule.js";
import { Database } from "./database.js";

/**
 * Reconciles a StatefulSet, its headless Service, a generated password and backup Jobs per Database.
 *
 * No mapping function: a run depends on the Secret and the Jobs that it reads. The password and the Jobs are created once and never changed (`ensure`).
 */
export const databaseController = controller(Database, {
  owns: [StatefulSet, Service, Secret, Job],
  reconcile: async ({ object, apply, ensure, find, list, delete: remove, conditions, status, requeueAfter, clock }) => {
    const { name } = object.metadata;
    const { image, replicas, storage, passwordSecret, backup } = object.spec;
    const labels = { "app.kubernetes.io/name": "database", "app.kubernetes.io/instance": name };

    const secretName = passwordSecret ?? `${name}-password`;
    const generated = () => ({
      metadata: { labels },
      stringData: { password: randomBytes(24).toString("base64url") },
    });
    const secret =
      passwordSecret === undefined ? await ensure(Secret, secretName, generated) : await find(Secret, secretName);
    if (secret === undefined) {
      const message = `Secret "${secretName}" does not exist`;
      conditions.set("Ready", { status: false, reason: "PasswordMissing", message });
      return; // The read is tracked: the next run follows when the Secret appears.
    }

    await apply(Service, {
      metadata: { name, labels },
      spec: { clusterIP: "None", selector: labels, ports: [{ name: "db", port: 5432 }] },
    });
    const password = { name: "PASSWORD", valueFrom: { secretKeyRef: { name: secretName, key: "password" } } };
    const checksum = createHash("sha256")
      .update(secret.data?.["password"] ?? "")
      .digest("hex");
    const set = await apply(StatefulSet, {
      metadata: { name, labels },
      spec: {
        serviceName: name,
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { "db.example.com/password-checksum": checksum } }, // a new password restarts Pods
          spec: {
            containers: [
              { name: "db", image, env: [password], volumeMounts: [{ name: "data", mountPath: "/var/lib/db" }] },
            ],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
          },
        ],
      },
    });
    status.readyReplicas = set.status?.readyReplicas ?? 0;
    const isReady = status.readyReplicas === replicas;
    conditions.set("Ready", { status: isReady, reason: isReady ? "Available" : "Progressing" });
    if (backup === undefined) return;

    const jobs = (await list(Job, { labels })).toSorted((a, b) => b.metadata.name.localeCompare(a.metadata.name));
    const succeeded = jobs.find((job) => (job.status?.succeeded ?? 0) > 0);
    if (succeeded) status.lastSuccessfulBackup = succeeded.metadata.name;
    for (const job of jobs.slice(backup.keep)) await remove(Job, job.metadata.name);
    if (!isReady) return;
    const { isDue, nextInSeconds, time, suffix } = dueBackup(backup.everyHours, status.lastBackupTime, clock.now());
    if (isDue) {
      const containers = [{ name: "backup", image: backup.image, args: ["--host", name], env: [password] }];
      const spec = { restartPolicy: "Never", containers } as const;
      await ensure(Job, `${name}-backup-${suffix}`, () => ({
        metadata: { labels },
        spec: { backoffLimit: 3, template: { metadata: { labels: {} }, spec } },
      }));
      status.lastBackupTime = time;
    }
    return requeueAfter(`${nextInSeconds}s`);
  },
});

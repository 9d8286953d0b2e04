import { type CommandLine, outputOption } from "./command-line.js";

/** Adds `kubewright why`. */
export function addWhyCommand({ program, streams, finish }: CommandLine): void {
  program
    .command("why")
    .description("Show the last runs of an object: why an operator reconciled it, what it did, and what happens next.")
    .argument("<type/name>", "the object, such as website/shop or websites.web.example.com/shop")
    .option("-n, --namespace <name>", "namespace of the object", "default")
    .option(
      "--url <url>",
      "metrics address of the operator (default: KUBEWRIGHT_OPERATOR_URL, or http://127.0.0.1:8080)",
    )
    .option("--token <token>", "bearer token for secured metrics (default: KUBEWRIGHT_TOKEN)")
    .option("--certificate-authority <file>", "CA certificate of the operator's metrics address")
    .option("--insecure-skip-tls-verify", "accept any certificate, such as the operator's self-signed one")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  kubewright why website/shop                          an operator on this machine, with metricsAddress "127.0.0.1:8080"
  kubewright why website/shop -n web -o json
  kubectl port-forward deploy/website-operator 8443    in another terminal, for one in the cluster
  kubewright why website/shop --url https://127.0.0.1:8443 --insecure-skip-tls-verify \\
    --token "$(kubectl create token website-operator-viewer)"

Example of the output:
  14:02:11  run 7  cause: read Secret default/shop-token, changed .data.token
            apply  Deployment default/shop    ~ .spec.template.spec.containers[web].env
            status Ready: False TokenMissing -> False Progressing
            done in 12 ms; next: on change

The operator must run with metricsAddress, either on a loopback address or with secureMetrics. Then the user of the token needs
the verb get of the non-resource URL /debug/runs. Times are UTC. Exits with 5 when the operator does not know the object.`,
    )
    .action(async (object, options) => finish((await import("../why.js")).whyCommand(object, options, streams)));
}

import type { AwsCredentials } from "./aws-signature.js";

/** Base64 by key, as in a Secret. */
export type SecretData = Readonly<Record<string, string>> | undefined;

/** Access keys and region of a Secret with the files `credentials` and `config` of the AWS command line. Throws an error that says what is missing. */
export function awsSecret(
  name: string,
  data: SecretData,
): { readonly credentials: AwsCredentials; readonly region: string } {
  const text = (key: string): string => Buffer.from(data?.[key] ?? "", "base64").toString();
  const keys = defaultSection(text("credentials"));
  const config = defaultSection(text("config"));
  const accessKeyId = keys.get("aws_access_key_id");
  const secretAccessKey = keys.get("aws_secret_access_key");
  if (!accessKeyId || !secretAccessKey)
    throw new Error(
      `Secret "${name}" must have the key "credentials", a file with aws_access_key_id and aws_secret_access_key in the section [default]`,
    );
  const sessionToken = keys.get("aws_session_token");
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return { credentials, region: config.get("region") || keys.get("region") || "us-east-1" };
}

/** The settings of the section `[default]`, or of what precedes all sections. */
function defaultSection(file: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let isDefault = true;
  for (const line of file.split("\n").map((each) => each.trim())) {
    const section = /^\[\s*(?:profile\s+)?(.*?)\s*\]$/.exec(line)?.[1];
    const [, name, value] = /^([^#;=\s][^=\s]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (section !== undefined) isDefault = section === "default";
    else if (isDefault && name !== undefined && value !== undefined) settings.set(name, value);
  }
  return settings;
}

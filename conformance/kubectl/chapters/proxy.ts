import type { Chapter } from "../chapter.js";

const through = (paths: string): string =>
  `kubectl proxy --unix-socket=p.sock > /dev/null & until [ -S p.sock ]; do sleep 0.05; done; for path in ${paths}; do curl -s -w ' %{http_code} %{content_type}\\n' --unix-socket p.sock "http://localhost$path"; done; kill $!; rm -f p.sock`;

/** The API through `kubectl proxy`. */
export const proxy: Chapter = {
  name: "proxy",
  commands: [
    "kubectl create cm a --from-literal=x=y",
    "kubectl run web --image=nginx --port=80 --expose",
    through("/apis/apps /healthz /version/nothing /api/v1/namespaces/proxy/configmaps/b /api/v1/nothing /nothing"),
    through("'/apis/batch?pretty=false' '/apis/batch?pretty=true' '/apis/batch?pretty=nonsense'"),
    through(
      "/api/v1/namespaces/proxy/services/web/proxy/ /api/v1/namespaces/proxy/services/web:80/proxy/x /api/v1/namespaces/proxy/pods/web/proxy/ /api/v1/nodes/none/proxy/metrics",
    ),
    through(
      "/api/v1/namespaces/proxy/pods/web/log /api/v1/namespaces/proxy/pods/web/exec /api/v1/namespaces/proxy/pods/web/attach /api/v1/namespaces/proxy/pods/web/portforward",
    ),
    through("/api/v1/namespaces/proxy/services/missing/proxy/ /api/v1/namespaces/proxy/pods/missing/proxy/"),
  ],
};

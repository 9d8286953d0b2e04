import type { Chapter } from "../chapter.js";

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.custom.example.com }
spec:
  group: custom.example.com
  names: { kind: Gadget, plural: gadgets, singular: gadget, shortNames: [gd, gdg], categories: [all, toys] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector }
      additionalPrinterColumns:
        - { name: Text, type: string, jsonPath: .spec.text }
        - { name: Int, type: integer, jsonPath: .spec.int }
        - { name: Int64, type: integer, format: int64, jsonPath: .spec.int }
        - { name: Num, type: number, jsonPath: .spec.num }
        - { name: Bool, type: boolean, jsonPath: .spec.bool }
        - { name: When, type: date, jsonPath: .spec.when }
        - { name: List, type: string, jsonPath: ".spec.list[*]" }
        - { name: First, type: string, jsonPath: ".spec.list[0]" }
        - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status', description: Whether it works }
        - { name: Map, type: string, jsonPath: .spec.map, priority: 1 }
        - { name: Secret, type: string, format: password, jsonPath: .spec.text, priority: 1 }
        - { name: Wrong, type: integer, jsonPath: .spec.text, priority: 1 }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      selectableFields: [{ jsonPath: .spec.text }]
      schema:
        openAPIV3Schema:
          type: object
          description: A thing for tests
          required: [spec]
          properties:
            spec:
              type: object
              description: What is wished for
              properties:
                text: { type: string, minLength: 1, maxLength: 20, pattern: "^[a-z]*$", description: Some words }
                int: { type: integer, format: int32, minimum: 0, maximum: 100 }
                num: { type: number }
                bool: { type: boolean, default: false }
                when: { type: string, format: date-time }
                list: { type: array, items: { type: string }, x-kubernetes-list-type: set }
                map: { type: object, additionalProperties: { type: integer } }
                either: { x-kubernetes-int-or-string: true }
                any: { type: object, x-kubernetes-preserve-unknown-fields: true }
                replicas: { type: integer, default: 1 }
                kind: { type: string, enum: [big, small] }
                ports:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [port]
                  items: { type: object, required: [port], properties: { port: { type: integer }, name: { type: string } } }
            status:
              type: object
              properties:
                replicas: { type: integer }
                selector: { type: string }
                conditions:
                  type: array
                  items: { type: object, properties: { type: { type: string }, status: { type: string } } }
    - name: v1alpha1
      served: true
      storage: false
      deprecated: true
      deprecationWarning: "custom.example.com/v1alpha1 Gadget is old"
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: rooms.custom.example.com }
spec:
  group: custom.example.com
  names: { kind: Room, plural: rooms }
  scope: Cluster
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
const gadget = (name: string, spec: string): string => `
apiVersion: custom.example.com/v1
kind: Gadget
metadata: { name: ${name}, labels: { set: x } }
spec: ${spec}
`;

/** Custom resources and their CRDs. */
export const custom: Chapter = {
  name: "custom",
  files: {
    "definition.yaml": definition,
    "full.yaml": gadget(
      "full",
      '{ text: abc, int: 7, num: 1.5, bool: true, when: "2020-01-02T03:04:05Z", list: [a, b], map: { x: 1, y: 2 }, either: 50%, any: { k: [1, { l: m }] }, kind: big, ports: [{ port: 80, name: http }, { port: 81 }] }',
    ),
    "full-2.yaml": gadget("full", "{ text: abd, int: 8, list: [a, c], ports: [{ port: 80, name: web }] }"),
    "bare.yaml": gadget("bare", "{}"),
    "bad.yaml": gadget("bad", '{ text: "ABC", int: 101, list: [a, a], kind: medium, num: x, ports: [{ name: five }] }'),
    "unknown.yaml": gadget("unknown", "{ text: abc, colour: red, ports: [{ port: 1, extra: 2 }] }"),
    "old.yaml": "apiVersion: custom.example.com/v1alpha1\nkind: Gadget\nmetadata: { name: old }\nspec: { text: old }\n",
    "room.yaml": "apiVersion: custom.example.com/v1\nkind: Room\nmetadata: { name: custom-room }\nspec: { any: 1 }\n",
    "broken-definition.yaml":
      definition.replaceAll("gadgets", "gizmos").replace("storage: true", "storage: false").split("---")[0] ?? "",
  },
  commands: [
    "kubectl get gadgets",
    "kubectl apply -f full.yaml",
    "kubectl apply -f definition.yaml",
    "kubectl wait --for=condition=Established crd/gadgets.custom.example.com crd/rooms.custom.example.com --timeout=20s",
    "kubectl apply -f broken-definition.yaml",
    "kubectl get crd gadgets.custom.example.com rooms.custom.example.com",
    "kubectl get crd rooms.custom.example.com -o yaml",
    "kubectl describe crd rooms.custom.example.com",
    "kubectl api-resources --api-group=custom.example.com -o wide",
    "kubectl api-resources --categories=toys",
    "kubectl get gadgets",
    "kubectl apply -f full.yaml -f bare.yaml",
    "kubectl get gadgets",
    "kubectl get gd -o wide",
    "kubectl get gdg full -o yaml",
    "kubectl get toys",
    "kubectl get all",
    "kubectl get gadgets.custom.example.com -o name",
    "kubectl get gadgets.v1alpha1.custom.example.com",
    "kubectl get gadgets.v1alpha1.custom.example.com full -o jsonpath='{.apiVersion} {.spec.text}'",
    "kubectl get gadgets --field-selector=spec.text=abc",
    "kubectl get gadgets --field-selector=spec.int=7",
    "kubectl get gadgets --sort-by=.spec.int",
    "kubectl get gadgets --chunk-size=1",
    "kubectl get gadgets -l set=x --show-labels --no-headers",
    "kubectl describe gadget full",
    "kubectl describe toys",
    "kubectl explain gadget | grep -P '^[A-Z]|\\t<|A thing|wished'",
    "kubectl explain gadget.spec",
    "kubectl explain gadget.spec.ports --recursive",
    "kubectl explain gadget --recursive",
    "kubectl explain gadget.spec.nothing",
    "kubectl explain gadget --api-version=custom.example.com/v1alpha1 | grep -P '^[A-Z]|\\t<|A thing|wished'",
    "kubectl explain rooms | grep -P '^[A-Z]|\\t<|A thing|wished'",
    "kubectl explain gadget.spec.text --output=plaintext-openapiv2",
    "kubectl apply -f bad.yaml 2>&1 | sort",
    "kubectl create -f bad.yaml --validate=false 2>&1 | sort",
    "kubectl apply -f unknown.yaml",
    "kubectl apply -f unknown.yaml --validate=warn",
    "kubectl apply -f unknown.yaml --validate=ignore",
    "kubectl get gadget unknown -o jsonpath='{.spec}'",
    "kubectl apply -f old.yaml",
    "kubectl get gadget old -o yaml",
    "kubectl diff -f full-2.yaml",
    "kubectl apply -f full-2.yaml --dry-run=server -o yaml",
    "kubectl apply -f full-2.yaml",
    "kubectl get gadget full -o yaml",
    "kubectl apply --server-side -f full.yaml",
    "kubectl apply --server-side --field-manager=other -f full-2.yaml",
    "kubectl apply --server-side --field-manager=other --force-conflicts -f full-2.yaml",
    "kubectl get gadget full -o yaml --show-managed-fields",
    "kubectl apply view-last-applied gadget/full",
    "kubectl scale gadget full --replicas=3",
    "kubectl scale gadget full --replicas=4 --current-replicas=9",
    "kubectl get gadget full --subresource=scale",
    "kubectl get gadget full --subresource=scale -o yaml",
    "kubectl get gadget full --subresource=status -o jsonpath='{.spec.replicas}'",
    'kubectl patch gadget full --subresource=status --type=merge -p \'{"status":{"replicas":3,"selector":"a=b","conditions":[{"type":"Ready","status":"True"}]},"spec":{"int":1}}\'',
    'kubectl patch gadget full --subresource=scale --type=merge -p \'{"spec":{"replicas":2}}\'',
    "kubectl get gadget full",
    "kubectl wait --for=condition=Ready gadget/full --timeout=2s",
    "kubectl wait --for=jsonpath='{.status.replicas}'=3 gadget/full --timeout=2s",
    "kubectl autoscale gadget full --min=1 --max=3 --cpu=50",
    "kubectl get hpa full",
    'kubectl patch gadget full --type=strategic -p \'{"spec":{"int":1}}\'',
    'kubectl patch gadget full --type=json -p \'[{"op":"test","path":"/spec/int","value":99}]\'',
    'kubectl patch gadget full --type=merge -p \'{"spec":{"int":null}}\' -o yaml',
    "kubectl label gadgets --all a=b",
    "kubectl annotate gadget full note=x",
    "EDITOR='sed -i s/abd/abe/' kubectl edit gadget full",
    "EDITOR='sed -i s/abe/ABE/' kubectl edit gadget full",
    "kubectl replace -f full.yaml",
    "kubectl replace --force -f full.yaml",
    "kubectl rollout status gadget/full",
    "kubectl set image gadget/full a=b",
    "kubectl expose gadget full --port=80",
    "kubectl apply -f room.yaml",
    "kubectl get rooms",
    "kubectl get rooms -n missing -o yaml",
    "kubectl delete -f room.yaml",
    "kubectl delete gadgets --all --wait=true",
    "kubectl get gadgets",
    "kubectl delete hpa full",
    "kubectl delete -f definition.yaml --timeout=30s",
  ],
};

apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}" }
data: { color: "{{ .Values.color }}" }
---
apiVersion: v1
kind: Secret
metadata: { name: "{{ .Release.Name }}" }
stringData: { token: "{{ .Values.color }}-token" }

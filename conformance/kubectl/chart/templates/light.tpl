apiVersion: lantern.example.com/v1
kind: Light
metadata: { name: "{{ .Release.Name }}" }
spec: { color: "{{ .Values.color }}" }

{{- define "agent.labels" -}}
app.kubernetes.io/name: plimsoll-agent
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "agent.secret" -}}
{{- if .Values.existingSecret }}{{ .Values.existingSecret }}{{ else }}plimsoll-agent{{ end }}
{{- end }}

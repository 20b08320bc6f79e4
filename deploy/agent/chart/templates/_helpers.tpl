{{- define "agent.labels" -}}
app.kubernetes.io/name: plimsoll-agent
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{/* How many MiB a quantity such as 3Gi or 500M is; fails where it is not one. */}}
{{- define "agent.mebibytes" -}}
{{- if not (regexMatch "^[0-9]+(\\.[0-9]+)?([KMGTP]i?|k)?$" .) }}
{{- fail (printf "persistence.size is '%s', not a size such as 3Gi." .) }}
{{- end }}
{{- $units := dict "" 1.0 "k" 1e3 "K" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 }}
{{- $bytes := mulf (regexFind "^[0-9.]+" . | float64) (get $units (regexFind "[KMGTPik]*$" .)) }}
{{- divf $bytes 1048576.0 | floor | int64 }}
{{- end }}

{{/* What the log takes at most, with room for what is being written. */}}
{{- define "agent.logRoom" -}}
{{- add (int .Values.logMebibytes) 256 }}
{{- end }}

{{- define "agent.secret" -}}
{{- if .Values.existingSecret }}{{ .Values.existingSecret }}{{ else }}plimsoll-agent{{ end }}
{{- end }}

{{/* The port of an address such as https://plimsoll.example.com:8443. */}}
{{- define "agent.portOf" -}}
{{- $port := regexFind "^https?://[^/]*:[0-9]+" . | regexFind "[0-9]+$" }}
{{- if $port }}{{ $port }}{{ else if hasPrefix "http://" . }}80{{ else }}443{{ end }}
{{- end }}

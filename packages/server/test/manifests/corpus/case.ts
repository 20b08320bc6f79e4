/** A manifest as in a Git repository, its edge case, and the intended change. */
export type Case = {
  trap: string
  source: string
  /** By container: values to set; null removes. */
  set?: Record<string, { requests?: Record<string, string | null>; limits?: Record<string, string | null> }>
  /** Fields of the object itself. */
  fields?: { path: string; from: string | null; to: string | null }[]
  /** A file that a patch must not be applied to as a whole. */
  hasSeveralDocuments?: boolean
  /** Containers of the pods that are not in the template. */
  injected?: string[]
}

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** The rest of a manifest around the pod spec; its name is the name of the edge case. */
export function workload(kind: string, name: string, podSpec: string, apiVersion = 'apps/v1'): string {
  const selector = kind === 'CronJob' || kind === 'Service' ? '' : `  selector: {matchLabels: {app: ${name}}}\n`
  const service = kind === 'StatefulSet' ? `  serviceName: ${name}\n` : ''
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${selector}${service}  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n${indent(podSpec.trimStart(), 6)}`
}

export const deployment = (name: string, podSpec: string) => workload('Deployment', name, podSpec)

export const cronJob = (name: string, podSpec: string) =>
  `apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: ${name}\nspec:\n  schedule: "0 3 * * *"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n${indent(podSpec.trimStart(), 10)}`

/** The values that most cases set. */
export const half = { requests: { cpu: '250m', memory: '256Mi' } }

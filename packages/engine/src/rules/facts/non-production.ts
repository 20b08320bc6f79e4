import type { NamespaceFacts } from './object-facts.ts'

const ENVIRONMENT_LABELS = ['env', 'environment', 'stage', 'tier', 'app.kubernetes.io/environment']
const WORDS = new Set(['dev', 'develop', 'development', 'test', 'testing', 'qa', 'uat', 'staging', 'stage', 'sandbox', 'preview', 'integration']) // prettier-ignore

/** Labels decide; without labels, a whole word of the name does. */
export function isNonProduction({ name, labels }: Pick<NamespaceFacts, 'name' | 'labels'>): boolean {
  const environments = ENVIRONMENT_LABELS.flatMap((label) => labels[label] ?? [])
  if (environments.length > 0) return environments.some((value) => WORDS.has(value.toLowerCase()))
  return name.split(/[-_.]/).some((word) => WORDS.has(word))
}

import { createHash } from 'node:crypto'

/** Identifies a label set in keys, independent of the order of labels. */
export function labelsHash(labels: Readonly<Record<string, string>>): string {
  const sorted = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(sorted).digest('base64url').slice(0, 16)
}

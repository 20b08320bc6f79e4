import { createHash } from 'node:crypto'

/** Names a label set in keys: the same labels, in whatever order, have the same. */
export function labelsHash(labels: Readonly<Record<string, string>>): string {
  const sorted = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(sorted).digest('base64url').slice(0, 16)
}

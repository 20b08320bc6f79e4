import type { Rejection } from '@plimsoll/contract'

const charactersMax = 1000

/** The rejected objects of a batch with the reasons, each reason once; null: none. */
export function rejectionText(rejections: readonly Rejection[]): string | null {
  const places = new Map<string, Map<string, number[]>>()
  for (const { table, index, reason } of rejections) {
    const ofReason = places.get(reason) ?? new Map<string, number[]>()
    places.set(reason, ofReason)
    ofReason.set(table, [...(ofReason.get(table) ?? []), index])
  }
  const sentences = [...places].map(([reason, tables]) => {
    const where = [...tables].map(([table, indexes]) => `${table} ${indexes.join(', ')}`)
    return `${where.join(', ')}: ${reason}`
  })
  return sentences.length === 0 ? null : sentences.join('; ').slice(0, charactersMax)
}

import type { Recommendation } from '@plimsoll/contract'
import { ruleName } from '../format/labels.ts'
import { targetName } from '../parts/change-text.tsx'

type Found = Parameters<typeof targetName>[0] & Parameters<typeof ruleName>[0] & Pick<Recommendation, 'title'>

/** The name of a found recommendation, with the container or the title if only these contain the text. */
export function recommendationWord(found: Found, text: string): string {
  const { main, detail } = targetName(found)
  const words = text.split(/\s+/)
  const names = [main, `${main}, ${detail}`]
  const hasAll = (name: string) => {
    const shown = `${name} ${ruleName(found)}`.toLowerCase()
    return words.every((word) => shown.includes(word))
  }
  return names.find(hasAll) ?? found.title
}

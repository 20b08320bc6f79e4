import type { WithheldAdvice, WithheldList } from '@plimsoll/contract'
import { ruleName } from '../../format/words.ts'

export function withheldName({ object, rule_id: ruleId }: WithheldAdvice): string {
  if (object === null) return ruleName(ruleId)
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`
}

/** Every word that is typed is somewhere in what a row says. */
export function withText(rows: readonly WithheldAdvice[], text: string, nameOf: (clusterId: string) => string) {
  const words = text.toLowerCase().split(/\s+/)
  return rows.filter((row) => {
    const said = [withheldName(row), ruleName(row.rule_id), row.detail, row.unlock, nameOf(row.cluster_id)]
    const all = said.join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

export const countAll = ({ counts }: Pick<WithheldList, 'counts'>) => counts.reduce((sum, { count }) => sum + count, 0)

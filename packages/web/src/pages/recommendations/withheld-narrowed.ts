import type { WithheldAdvice, WithheldList } from '@plimsoll/contract'
import { reasonLabels } from '../../format/withheld-labels.ts'

type TitleOf = (ruleId: string) => string | undefined

/** The name as the service searches it. */
export function withheldName({ object, rule_id: ruleId }: WithheldAdvice, titleOf: TitleOf): string {
  if (object === null) return titleOf(ruleId) ?? ruleId.replaceAll('_', ' ')
  if (object.kind === 'Namespace') return `namespace ${object.name}`
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`
}

/** The reasons with matches, and the selected reason even without a match. */
export function reasonChoices(counts: WithheldList['counts'], picked: string): { reason: string; count: number }[] {
  const known = counts ?? []
  const isThere = picked === '' || known.some(({ reason }) => reason === picked)
  return isThere ? known : [...known, { reason: picked, count: 0 }]
}

/** The empty state names the filters. */
export function nothingWords({ reason, text }: { reason: string; text: string }): string {
  const why = reason === '' ? '' : ` for “${reasonLabels(reason)}”`
  return text === '' ? `No withheld recommendations${why}.` : `No withheld recommendations${why} match “${text}”.`
}

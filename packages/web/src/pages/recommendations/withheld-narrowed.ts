import type { WithheldAdvice, WithheldList } from '@plimsoll/contract'
import { reasonWords } from '../../format/withheld-words.ts'

type TitleOf = (ruleId: string) => string | undefined

/** As the service says it: by these words it can be found there. */
export function withheldName({ object, rule_id: ruleId }: WithheldAdvice, titleOf: TitleOf): string {
  if (object === null) return titleOf(ruleId) ?? ruleId.replaceAll('_', ' ')
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`
}

/** Those that there are, and the one that is picked even where the words leave none of it. */
export function reasonChoices(counts: WithheldList['counts'], picked: string): { reason: string; count: number }[] {
  const known = counts ?? []
  const isThere = picked === '' || known.some(({ reason }) => reason === picked)
  return isThere ? known : [...known, { reason: picked, count: 0 }]
}

/** Nothing found is not nothing withheld: it says what was looked for. */
export function nothingWords({ reason, text }: { reason: string; text: string }): string {
  const why = reason === '' ? '' : ` as “${reasonWords(reason)}”`
  return text === '' ? `Nothing is withheld${why}.` : `Nothing that is withheld${why} says “${text}”.`
}

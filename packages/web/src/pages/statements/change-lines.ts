import type { Statement } from '@plimsoll/contract'
import { STATEMENT_PARTS } from '@plimsoll/engine/vocabulary'
import { changeAmounts } from '../../format/statements.ts'
import { contributorsByCause } from '../changes/causes.ts'

/** One cause of the difference to the month before. `amount`: in cents, with its sign. */
export type ChangeLine = { key: string; word: string; text: string; usd: number; amount: string }

/** The causes of own cost, then the shared parts. As shown, they add up to the difference. */
export function changeLines(statement: Statement): ChangeLine[] {
  const { own, shared } = statement.changes
  const causes = contributorsByCause(own)
  const amounts = changeAmounts(
    statement,
    causes.map(({ usd }) => usd),
  )
  const ofOwn = causes.map(({ id, word, usd, contributors }, at) => {
    const [first] = contributors.filter(({ name }) => name !== '')
    const text = first ? [first.word, first.text].filter((each) => each !== '').join(': ') : ''
    return { key: id, word, text, usd, amount: amounts.own[at] ?? '' }
  })
  const ofShared = shared.map(({ part, difference }, at) => ({
    key: `shared ${part}`,
    word: `${STATEMENT_PARTS[part]}, shared`,
    text: '',
    usd: difference,
    amount: amounts.shared[at] ?? '',
  }))
  return [...ofOwn, ...ofShared].filter(({ amount }) => /[1-9]/.test(amount))
}

import type { Statement } from '@plimsoll/contract'
import { STATEMENT_PARTS } from '@plimsoll/engine/vocabulary'
import { contributorsByCause } from '../changes/causes.ts'

/** One cause of the difference to the month before. */
export type ChangeLine = { key: string; word: string; text: string; usd: number }

/** The causes of own cost, then the shared parts. They add up to the difference. */
export function changeLines({ changes: { own, shared } }: Pick<Statement, 'changes'>): ChangeLine[] {
  const causes = contributorsByCause(own).map(({ id, word, usd, contributors }) => {
    const [first] = contributors.filter(({ name }) => name !== '')
    return { key: id, word, text: first ? [first.word, first.text].filter((each) => each !== '').join(': ') : '', usd }
  })
  const parts = shared.map(({ part, difference }) => ({
    key: `shared ${part}`,
    word: `${STATEMENT_PARTS[part]}, shared`,
    text: '',
    usd: difference,
  }))
  return [...causes, ...parts].filter(({ usd }) => Math.abs(usd) >= 0.000_001)
}

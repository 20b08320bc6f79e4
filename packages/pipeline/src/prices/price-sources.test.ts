import { loadPriceBook } from '@plimsoll/pricebook/testing'
import { expect, test } from 'vitest'
import { cloudResourcePrice } from './cloud-resource-rates.ts'
import { dateOfPrice } from './price-sources.ts'

const source = (asOf: string) => ({ repo: '', path: '', commit: '', licence: '', taken: '', asOf })
const sources = {
  list: source('2024-07-18'),
  newer: source('2025-10-28'),
  twice: source('2024-07-01 / 2025-07-07'),
  vague: source('2024'),
}

test.each([
  ['list', '2025-10-28', '2024-07-18'],
  ['list', '2023-01-01', '2023-01-01'],
  ['list;newer', '2025-10-28', '2025-10-28'],
  ['twice', '2025-10-28', '2025-07-07'],
  ['list;vague', '2025-10-28', '2025-10-28'],
  ['forgotten', '2025-10-28', '2025-10-28'],
])('a price from %s, dated %s, has the date %s', (id, asOf, date) =>
  expect(dateOfPrice({ sources }, id, asOf)).toBe(date),
)

test('a volume is priced as of the date of the source that it names', () => {
  const book = loadPriceBook()
  const facts = { asset: 'volume', provider: 'aws', region: 'us-east-1', storageClass: 'gp3' } as const
  const { evidence } = cloudResourcePrice(book, facts, undefined)
  const { source: id = '', as_of: asOf = '' } = evidence
  expect(asOf).not.toBe('')
  expect(asOf <= (book.sources[id]?.asOf ?? '')).toBe(true)
})

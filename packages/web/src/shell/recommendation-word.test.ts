import { expect, test } from 'vitest'
import { recommendationWord } from './recommendation-word.ts'

const found = {
  rule_id: 'container_overprovisioned_cpu',
  rule_name: 'Lower CPU request',
  title: 'Lower CPU request of `cart` from 750m to 415m',
  namespace: 'shop',
  workload: { kind: 'Deployment', name: 'cart', container: 'proxy' },
  change: { object: { kind: 'Deployment', name: 'cart' } },
  volume_claim: null,
} as unknown as Parameters<typeof recommendationWord>[0]

test.each([
  ['cart', 'shop/cart'],
  ['shop ca', 'shop/cart'],
  ['prox', 'shop/cart, proxy'],
  ['cart prox', 'shop/cart, proxy'],
  ['750m', 'Lower CPU request of `cart` from 750m to 415m'],
])('the entry of a recommendation that is found by %s shows why', (text, word) => {
  expect(recommendationWord(found, text)).toBe(word)
})

import { CLOUD_PROVIDERS } from '@plimsoll/engine/vocabulary'
import { expect, test } from 'vitest'
import { providers } from './index.ts'

test('every cloud provider with a title has one value, in the same order', () => {
  expect(providers.map(({ id }) => id)).toEqual(CLOUD_PROVIDERS)
})

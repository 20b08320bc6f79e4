import { expect, test } from 'vitest'
import { partialHour } from './partial-hour.ts'

const nameOf = (clusterId: string) => clusterId.replace('cls_', '')
const partial = { partial: true, as_of: '2026-11-17T12:34:00Z' }

test.each([
  partial,
  { ...partial, partial_cluster_ids: ['cls_new'] },
  { ...partial, partial_cluster_ids: ['cls_new'], cluster_ids: ['cls_new'] },
])('%o covers the current hour, up to its last minute', (answer) => {
  const { title, text } = partialHour(answer, nameOf) ?? {}
  expect(title).toBe('Partial: current hour')
  expect(text).toMatch(
    /^No hour is complete yet\. The figures cover the current hour up to .*34.* and grow until the hour ends\.$/,
  )
})

test('a fleet with a new cluster names that cluster, and the figures of the others are complete', () => {
  const answer = { ...partial, partial_cluster_ids: ['cls_new'], cluster_ids: ['cls_old', 'cls_new'] }
  const { title, text } = partialHour(answer, nameOf) ?? {}
  expect(title).toBe('Partial: new')
  expect(text).toMatch(
    /^No hour of new is complete yet\. Its figures cover the current hour .* The other clusters show complete hours\.$/,
  )
})

test.each([{}, { partial: false, as_of: '2026-11-17T12:00:00Z', partial_cluster_ids: [] }])(
  '%o covers complete hours',
  (answer) => {
    expect(partialHour(answer, nameOf)).toBeNull()
  },
)

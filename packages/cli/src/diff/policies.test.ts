import type { Client } from '@plimsoll/client'
import { expect, test } from 'vitest'
import { judgeRatchet } from './policies.ts'
import type { ManifestWorkload } from './read-workloads.ts'

const now = new Date('2026-11-18T00:00:00Z')

const verified = (id: string, observedAt: string | null, spec: object) => ({
  id,
  namespace: 'shop',
  workload: { kind: 'Deployment', name: 'web', container: 'app' },
  recommended_spec: spec,
  verification_detail: { observed_at: observedAt },
})

/** Two pages. */
const client = {
  listRecommendations: ({ query }: { query: { cursor?: string } }) =>
    Promise.resolve(
      query.cursor === undefined
        ? {
            recommendations: [verified('rec_old', '2026-08-01T00:00:00Z', { cpu_request: '100m' })],
            has_more: true,
            next_cursor: 'next',
          }
        : {
            recommendations: [
              verified('rec_new', '2026-11-01T00:00:00Z', { cpu_request: '250m', memory_request: '512Mi' }),
              verified('rec_unseen', null, { cpu_request: '1m' }),
            ],
            has_more: false,
            next_cursor: null,
          },
    ),
} as unknown as Client

const requesting = (requests: Record<string, string>) =>
  [
    { namespace: 'shop', kind: 'Deployment', name: 'web', state: { containers: [{ name: 'app', requests }] } },
  ] as unknown as ManifestWorkload[]

const judged = (requests: Record<string, string>) =>
  judgeRatchet(client, { clusterId: 'cls_1', workloads: requesting(requests), now })

test('a request above a size that was verified in the last 90 days breaks the ratchet', async () => {
  expect(await judged({ cpu: '300m', memory: '0.5Gi' })).toEqual([
    'shop/Deployment/web: container app requests 300m cpu; 250m was verified (rec_new).',
  ])
})

test('an equal request, a lower request and a missing request do not', async () => {
  expect(await judged({ cpu: '0.25' })).toEqual([])
  expect(await judged({ memory: '100Mi' })).toEqual([])
  expect(await judged({})).toEqual([])
})

import { NO_EVIDENCE } from '@plimsoll/engine/rules'
import { expect, test } from 'vitest'
import { aFinding } from '../../../test/findings.ts'
import { aCluster } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { presentEvidence } from '@plimsoll/pipeline/advice'
import { listEvidenceDigests, writeEvidence } from './evidence.ts'

const t = useTestApp()

const evidenceOf = (coverage: number) => presentEvidence(aFinding(), { ...NO_EVIDENCE, coverage })

test('the digest matches the evidence, even if an older version wrote the evidence', async () => {
  const { clusterId } = await aCluster(t)
  const asOf = t.clock.now
  const make = async () => [{ id: 'rec_1', evidence: evidenceOf(0.5) }]
  await writeEvidence(t.db, clusterId, [{ id: 'rec_1' }], { asOf, historyReceivedAt: null, always: new Set(), make })
  const coverage = async () => (await listEvidenceDigests(t.db, [clusterId], ['rec_1'])).get('rec_1')?.coverage
  const written = (digest: { digest?: null }, seconds: number) =>
    t.db
      .updateTable('recommendation_evidence')
      .set({
        ...digest,
        evidence: JSON.stringify(evidenceOf(0.75)),
        written_at: new Date(asOf.getTime() + seconds * 1000),
      })
      .where('cluster_id', '=', clusterId)
      .execute()

  expect(await coverage()).toBe(0.5)
  await written({}, 60)
  expect(await coverage()).toBe(0.75)
  await written({ digest: null }, 0)
  expect(await coverage()).toBe(0.75)
})

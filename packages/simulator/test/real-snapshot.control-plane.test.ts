import { readFileSync, writeFileSync } from 'node:fs'
import type { Batch } from '@plimsoll/contract'
import { expect, onTestFinished, test } from 'vitest'
import { findAssets, startControlPlane } from '../../../test/control-plane.ts'
import { fieldsOf } from './fields-of.ts'
import { recordSnapshot } from './real-cluster.ts'

const assets = findAssets()
const fixture = new URL('fixtures/real-snapshot.json', import.meta.url)

/**
 * PLIMSOLL_RENEW_FIXTURES=1 writes the fixture again, for a new Kubernetes version or a new field of the agent. Then
 * run `npm run format`.
 */
test.skipIf(assets === undefined)(
  'the recorded snapshot has the fields of a real cluster',
  async () => {
    const plane = await startControlPlane(assets ?? '')
    onTestFinished(() => plane.stop())
    const batch = await recordSnapshot(plane, assets ?? '')
    if (process.env.PLIMSOLL_RENEW_FIXTURES === '1') {
      writeFileSync(fixture, JSON.stringify(batch, null, 2))
    }
    const recorded = JSON.parse(readFileSync(fixture, 'utf8')) as Batch
    expect([...fieldsOf(batch)].sort()).toEqual([...fieldsOf(recorded)].sort())
  },
  600_000,
)

import type { NodeRecord } from '@plimsoll/pipeline/fold'
import { nodeVersion, startSecond } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCluster } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { writeBackfilledNodes, writeNodes } from './nodes.ts'

const t = useTestApp()

const amounts = { cpu: 4_000_000, memory: 16_000_000, gpu: 0 }

function aNode(endedAt: number): NodeRecord {
  const facts = nodeVersion({ uid: 'node-1', bornAt: startSecond, endedAt: Infinity }, 1)
  const version = { from: startSecond, facts, class: { key: 'class', capacity: amounts, allocatable: amounts } }
  return { uid: 'node-1', versions: [version], bornAt: startSecond, endedAt, missedAt: Infinity, pods: [] }
}

const [removedAt, snapshotAt] = [startSecond + 600, startSecond + 7200]

test.each(['before', 'after'])(
  'a node ends when its history says, also if a snapshot without it is folded %s the history',
  async (order) => {
    const { clusterId } = await aCluster(t)
    const past = () => writeBackfilledNodes(t.db, clusterId, [aNode(removedAt)], snapshotAt)
    const snapshot = () => writeNodes(t.db, clusterId, [aNode(snapshotAt)])
    await writeNodes(t.db, clusterId, [aNode(Infinity)])
    for (const fold of order === 'before' ? [snapshot, past] : [past, snapshot]) await fold()
    const { rows } = await sql`select ended_at from node where cluster_id = ${clusterId}`.execute(t.db)
    expect(rows).toEqual([{ ended_at: new Date(removedAt * 1000) }])
  },
)

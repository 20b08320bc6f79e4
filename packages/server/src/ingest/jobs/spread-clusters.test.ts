import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/test-app.ts'
import { excessOf, spreadClusters } from './spread-clusters.ts'

const t = useTestApp()

test.each([
  { name: 'one replica keeps all', counts: [100], excess: [] },
  { name: 'a replica that holds all of two shares', counts: [100, 0], excess: [36] },
  { name: 'small differences move nothing', counts: [54, 46], excess: [] },
  { name: 'two clusters stay where they are', counts: [2, 0], excess: [] },
])('$name', ({ counts, excess }) => {
  const held = counts.map((clusters, index) => ({ holder: `replica ${index}`, clusters }))
  expect(excessOf(held).map((each) => each.excess)).toEqual(excess)
})

test('clusters of the fuller replica are freed, and those of a dead replica are not counted', async () => {
  await sql`insert into fold_lease (holder, until) values
    ('full', now() + interval '1 min'), ('empty', now() + interval '1 min'), ('dead', now() - interval '1 min')`.execute(
    t.db,
  )
  await sql`insert into fold_checkpoint (cluster_id, version, folded_at, holder)
    select 'cls_' || n, 1, now(), case when n <= 10 then 'full' else 'dead' end from generate_series(1, 30) n`.execute(
    t.db,
  )
  await spreadClusters(t.db)
  const { rows } = await sql<{ holder: string | null; count: number }>`
    select holder, count(*)::integer as count from fold_checkpoint group by holder order by holder nulls last`.execute(
    t.db,
  )
  expect(rows).toEqual([
    { holder: 'dead', count: 20 },
    { holder: 'full', count: 8 },
    { holder: null, count: 2 },
  ])
})

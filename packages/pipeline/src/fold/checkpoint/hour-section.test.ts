import { expect, test } from 'vitest'
import { aNodeClass } from '../../../test/a-node-class.ts'
import { emptyFoldState, emptyHour, type FoldState } from '../fold-state.ts'
import { ownerOf } from '../hour-sums.ts'
import { hourSection } from './hour-section.ts'
import { Numbers } from './section.ts'

const owner = ownerOf({ namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web', labels: {} })

/** An hour with a workload and a node, as saved by a version without unmeasured time. */
function savedBefore(): unknown[] {
  const state = emptyFoldState(aNodeClass)
  const hour = emptyHour()
  state.hours.set(7, hour)
  for (const { use } of [hour.added.workload(owner, 'class'), hour.added.node('node', 'class')]) {
    use.cpu.used = 60
    use.gpu.used = 5
  }
  return [...hourSection.save(state, new Numbers())].map((part): unknown =>
    JSON.parse(JSON.stringify(part, (key, value: unknown) => (key === 'unmeasured' ? undefined : value))),
  )
}

function load(parts: readonly unknown[]): FoldState {
  const state = emptyFoldState(aNodeClass)
  for (const part of parts) hourSection.load(state, part, new Numbers())
  return state
}

test('an hour saved by an earlier version continues with measured usage, except for GPUs', () => {
  const added = load(savedBefore()).hours.get(7)?.added
  for (const row of [added?.workload(owner, 'class'), added?.node('node', 'class')]) {
    expect(row?.use.cpu).toMatchObject({ used: 60, unmeasured: 0 })
    expect(row?.use.memory).toMatchObject({ used: 0, unmeasured: 0 })
    expect(row?.use.gpu).toMatchObject({ used: 5, unmeasured: 5 })
  }
})

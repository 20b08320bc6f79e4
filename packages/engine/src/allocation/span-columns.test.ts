import { rowNames } from '../testing/row-names.ts'
import { expect, test } from 'vitest'
import { shareNodeAmongPods } from './share-node-among-pods.ts'
import { aNode, aPodSpan, HOUR } from './builders.ts'
import { clearSpans, makeSpanColumns, writePod } from './span-columns.ts'

test('columns that are too small throw instead of dropping a container', () => {
  const columns = makeSpanColumns(1)
  writePod(columns, aPodSpan({ uid: 'a' }))
  expect(() => writePod(columns, aPodSpan({ uid: 'b' }))).toThrow('columns of 1 spans are full')
})

test('reused columns hold no data of the previous node', () => {
  const columns = makeSpanColumns(4)
  writePod(columns, aPodSpan({ requests: { cores: 2 }, uses: { cores: 4, gib: 1 }, beyond: { cores: 1 } }))
  shareNodeAmongPods(columns, aNode({ cores: 8 }), HOUR)

  clearSpans(columns)
  writePod(columns, aPodSpan({ requests: { cores: 1 }, uses: { cores: 0.5, gib: 1 } }))
  shareNodeAmongPods(columns, aNode({ cores: 8 }), HOUR)

  expect([columns.count, columns.lanes.cpu.alloc[0], columns.lanes.cpu.used[0]]).toEqual([1, 3.6e9, 1.8e9])
  expect(columns.lanes.cpu.total.alloc).toBe(3.6e9)
})

test('rows are named in the order of writing', () => {
  expect(rowNames(aPodSpan({ beyond: { gib: 1 } }))).toEqual(['app', '(pod)'])
  expect(rowNames(aPodSpan())).toEqual(['app'])
})

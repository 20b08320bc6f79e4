import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addedUpTable } from '../../format/money.ts'
import { classAmounts } from './class-amounts.ts'

const usd = fc.double({ min: 0.01, max: 5000, noNaN: true })
const dollarsIn = (text: string | undefined) => Number((text ?? '').replaceAll(/[$,]/g, '').replace('<1', '0'))

test('the classes show the same total, idle cost and unallocated cost as the table of namespaces', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(usd, usd), { minLength: 1, maxLength: 8 }), usd, (namespaces, unallocated) => {
      const sum = (at: 0 | 1) => namespaces.reduce((total, each) => total + each[at], 0)
      const classes = { workload: sum(0), workload_idle: sum(1), cluster_idle: unallocated, unmeasured: 0 }
      const { shown, total, unallocatedUnits } = classAmounts(classes)
      const pinned = { row: namespaces.length, units: unallocatedUnits }
      const table = addedUpTable([...namespaces, [0, unallocated]], pinned)
      expect(table.total).toBe(total)
      expect(table.rows.at(-1)).toBe(shown.cluster_idle)
      const idle = dollarsIn(shown.workload_idle) + dollarsIn(shown.cluster_idle)
      expect(dollarsIn(table.columns[1])).toBeCloseTo(idle, 2)
    }),
  )
})

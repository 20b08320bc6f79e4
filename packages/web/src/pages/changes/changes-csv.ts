import type { Changes } from '@plimsoll/contract'
import { capital } from '../../format/labels.ts'
import { shortOwner } from '../allocation/owner.ts'
import { groupingName } from '../allocation/question.ts'
import { causes, sumByCause } from './causes.ts'

/** One row per group with a column for each cause that occurs. */
export function changesCsv({
  rows,
  rest,
  total,
  by: [by = ''],
  window,
  compare_window: before,
  clusters,
}: Changes): string[][] {
  const present = causes.filter(([id]) => sumByCause(total.effects).some((each) => each.id === id))
  const cluster = clusters.map(({ name }) => name).join(' ')
  const plain = (name: string) => (name.startsWith('__') ? shortOwner(name, by) : name)
  const lines = [
    ...rows.map((row) => ({ ...row, name: plain(row.names[by] ?? '') })),
    ...(rest.rows > 0 ? [{ ...rest, name: 'Others' }] : []),
  ]
  return [
    [
      ...['Before from', 'Before to', 'Now from', 'Now to', 'Cluster', capital(groupingName(by))],
      ...['Before $', 'Now $', 'Change $', ...present.map(([, word]) => `${word} $`)],
    ],
    ...lines.map(({ name, before: earlier, now, difference, effects }) => {
      const amounts = sumByCause(effects)
      return [
        ...[before.from, before.to, window.from, window.to, cluster, name],
        ...[earlier, now, difference].map(String),
        ...present.map(([id]) => String(amounts.find((each) => each.id === id)?.usd ?? 0)),
      ]
    }),
  ]
}

import type { Allocation } from '@plimsoll/contract'
import { capital } from '../../format/labels.ts'
import { explorerLines, type Line } from './explorer-lines.ts'
import { groupingName } from './question.ts'

/** The columns of the screen with all digits of the API, and the period and the cluster of each row. */
export function explorerCsv(allocation: Allocation, levels: readonly string[]): string[][] {
  const [step] = allocation.steps
  if (!step) return []
  const { lines, columns } = explorerLines(step, levels)
  const { window, compare, clusters } = allocation
  const cluster = clusters.map(({ name }) => name).join(' ')
  const head = [
    ...['From', 'To', 'Cluster', ...levels.map((each) => capital(groupingName(each)))],
    ...columns.map(({ header }) => `${header} $`),
    'Total $',
    ...(compare ? ['Previous $', 'Change $', 'Change %'] : []),
    'Efficiency',
  ]
  const cellsOf = (line: Line, names: readonly string[]) => [
    ...[window.from, window.to, cluster, ...names],
    ...columns.map(({ of }) => String(of(line.cost))),
    String(line.cost.total),
    ...(compare ? comparedCells(line) : []),
    line.isOwned && line.cost.efficiency !== null ? String(line.cost.efficiency) : '',
  ]
  const isNested = levels.length > 1
  return [
    head,
    ...lines.flatMap((line) =>
      isNested && line.lines.length > 0
        ? line.lines.map((inner) => cellsOf(inner, [plain(line), plain(inner)]))
        : [cellsOf(line, isNested ? [plain(line), ''] : [plain(line)])],
    ),
  ]
}

/** The whole name of a workload: the screen shortens it. */
const plain = ({ name, word }: Line) => (name.startsWith('__') ? word : name)

const comparedCells = ({ compare }: Line) =>
  compare ? [String(compare.total), String(compare.difference), String(compare.percent ?? '')] : ['', '', '']

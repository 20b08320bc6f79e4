import { apportion, type Decimal } from '@plimsoll/engine'
import type { FilterSubject } from '@plimsoll/engine/opencost'
import type { ClusterName } from '../../clusters/index.ts'
import type { WorkloadQuantity } from '../queries/allocation.ts'
import { chargesOf, usdOf, type PricedRow } from '../priced-rows.ts'
import { clusterSubject, subjectOfRow } from './subject-of-row.ts'

export const computeParts = ['cpu', 'memory', 'gpu'] as const
export type ComputePart = (typeof computeParts)[number]
export type PartUsd = Record<ComputePart, Decimal>

export const noUsd = (): PartUsd => ({ cpu: 0n, memory: 0n, gpu: 0n })

/** A row of an answer before it is grouped. */
export type SharedRow = {
  subject: FilterSubject
  /** The cost of compute without shared idle cost. */
  own: PartUsd
  idle: PartUsd
  storage: Decimal
  loadBalancer: Decimal
  /** Shared overhead. */
  shared: Decimal
  isUnpriced: boolean
  quantities: Readonly<Record<WorkloadQuantity, string | bigint>> | undefined
  volumeUnitSeconds: bigint
}

export type RowOptions = {
  isSelected: (subject: FilterSubject) => boolean
  idle: 'none' | 'separate' | 'shared'
  sharesOverhead: boolean
}

/** A row of a workload as rows of its pods. */
export type SplitRow = (row: SharedRow, stored: PricedRow) => SharedRow[]

/** The rows of one cluster in one step. `idle` is the separate line. */
export type PreparedRows = { rows: SharedRow[]; idle: PartUsd; overheadLeftOut: Decimal; isIdleUnpriced: boolean }

/**
 * Overhead is shared in proportion to the cost of all rows. The filter applies then, and idle cost shrinks to the share
 * of the selected rows in each resource.
 */
export function prepareRows(
  stored: readonly PricedRow[],
  cluster: ClusterName,
  options: RowOptions & { split?: SplitRow | undefined },
): PreparedRows {
  const { isSelected, idle: idleMode, sharesOverhead, split } = options
  const kept = stored.filter(({ owner }) => owner.kind !== 'idle' && owner.kind !== 'overhead')
  const overhead = stored.filter(({ owner }) => owner.kind === 'overhead').reduce((sum, row) => sum + usdOf(row), 0n)
  const priced = kept.map((row) => sharedRow(row, cluster))
  const withOverhead = sharesOverhead ? shareOverhead(priced, kept, overhead, cluster) : priced
  const all = split ? withOverhead.flatMap((row, index) => splitIfStored(split, row, kept[index])) : withOverhead
  const rows = all.filter(({ subject }) => isSelected(subject))
  const idleRows = stored.filter(({ owner }) => owner.kind === 'idle')
  const idle =
    idleMode === 'none' ? noUsd() : idleOfRows(idleRows, { all, rows, isWhole: isSelected(clusterSubject(cluster)) })
  return {
    rows: idleMode === 'shared' ? rows.map(giveIdle(rows, idle)) : rows,
    // Without a receiver the idle cost stays on its own line.
    idle: idleMode === 'shared' ? unsharedIdle(rows, idle) : idle,
    overheadLeftOut: sharesOverhead ? 0n : overhead,
    isIdleUnpriced: idleMode !== 'none' && idleRows.some(isRowUnpriced),
  }
}

/** Overhead without a receiver has no stored row. */
const splitIfStored = (split: SplitRow, row: SharedRow, stored: PricedRow | undefined) =>
  stored ? split(row, stored) : [row]

const isRowUnpriced = (row: PricedRow) => chargesOf(row).some(({ unpriced }) => unpriced)

function sharedRow(row: PricedRow, cluster: ClusterName): SharedRow {
  const { charges, quantities, volumeUnitSeconds = '0' } = row
  return {
    subject: subjectOfRow(row, cluster),
    own: { cpu: charges.cpu?.usd ?? 0n, memory: charges.memory?.usd ?? 0n, gpu: charges.gpu?.usd ?? 0n },
    idle: noUsd(),
    storage: charges.storage?.usd ?? 0n,
    loadBalancer: charges.loadBalancer?.usd ?? 0n,
    shared: 0n,
    isUnpriced: isRowUnpriced(row),
    quantities,
    volumeUnitSeconds: BigInt(volumeUnitSeconds),
  }
}

function shareOverhead(
  rows: readonly SharedRow[],
  stored: readonly PricedRow[],
  overhead: Decimal,
  cluster: ClusterName,
): SharedRow[] {
  if (overhead === 0n) return [...rows]
  const receivers = stored.flatMap((row, index) =>
    row.owner.kind === 'workload' ? [{ key: String(index), weight: usdOf(row) }] : [],
  )
  const shares = apportion(overhead, receivers)
  if (shares.size === 0) return [...rows, { ...emptyRow(cluster), shared: overhead }]
  return rows.map((row, index) => ({ ...row, shared: shares.get(String(index)) ?? 0n }))
}

const emptyRow = (cluster: ClusterName): SharedRow => ({
  ...{ subject: clusterSubject(cluster), own: noUsd(), idle: noUsd(), storage: 0n, loadBalancer: 0n, shared: 0n },
  ...{ isUnpriced: false, quantities: undefined, volumeUnitSeconds: 0n },
})

type Selected = { all: readonly SharedRow[]; rows: readonly SharedRow[]; isWhole: boolean }

function idleOfRows(idleRows: readonly PricedRow[], { all, rows, isWhole }: Selected): PartUsd {
  const idle = noUsd()
  for (const part of computeParts) {
    const whole = idleRows.reduce((sum, { charges }) => sum + (charges[part]?.usd ?? 0n), 0n)
    const total = sumOwn(all, part)
    if (total === 0n) idle[part] = isWhole || rows.length > 0 ? whole : 0n
    else idle[part] = (whole * sumOwn(rows, part)) / total
  }
  return idle
}

const sumOwn = (rows: readonly SharedRow[], part: ComputePart) => rows.reduce((sum, { own }) => sum + own[part], 0n)

/** Each resource in proportion to its own cost. */
function giveIdle(rows: readonly SharedRow[], idle: PartUsd): (row: SharedRow, index: number) => SharedRow {
  const shares = computeParts.map((part) =>
    sumOwn(rows, part) === 0n
      ? new Map<string, bigint>()
      : apportion(
          idle[part],
          rows.map(({ own }, index) => ({ key: String(index), weight: own[part] })),
        ),
  )
  return (row, index) => {
    const [cpu = 0n, memory = 0n, gpu = 0n] = shares.map((each) => each.get(String(index)) ?? 0n)
    return { ...row, idle: { cpu, memory, gpu } }
  }
}

function unsharedIdle(rows: readonly SharedRow[], idle: PartUsd): PartUsd {
  const left = noUsd()
  for (const part of computeParts) if (sumOwn(rows, part) === 0n) left[part] = idle[part]
  return left
}

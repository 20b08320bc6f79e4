import { UNOWNED } from '@plimsoll/engine/allocation'
import type { EffectSums, Pair } from '@plimsoll/engine/changes'
import type { ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TeamRules } from '../../settings/index.ts'
import { TEAM_DIMENSION } from '../parse-grouping.ts'
import type { HourWindow } from '../parse-window.ts'
import type { ChangesOptions } from './cluster-comparison.ts'
import { GroupLines } from './group-lines.ts'
import { loadClusterChanges } from './load-cluster-changes.ts'

/** The difference of one group between two windows, by effect. */
type CostSplit = { namespace: string; workload: string; team: string; effects: EffectSums; usd: bigint }

/** `knownHours` are the hours with data of each window. */
export type ClusterSplits = { groups: CostSplit[]; knownHours: Pair<number> }

/** The difference of a cluster by namespace, workload and team; both windows are finalised hours. */
export async function loadSplits(
  tx: Db,
  named: ClusterName,
  windows: Pair<{ from: Date; to: Date }>,
  teams: TeamRules,
): Promise<ClusterSplits> {
  const custom = ({ from, to }: { from: Date; to: Date }): HourWindow => ({ name: 'custom', from, to })
  const options: ChangesOptions = {
    windows: { before: custom(windows.before), now: custom(windows.now) },
    grouping: {
      side: 'workloads',
      names: ['namespace', 'workload', 'team'],
      dimensions: ['namespace', 'workload', TEAM_DIMENSION],
    },
    rowsMax: Number.MAX_SAFE_INTEGER,
    hasWaterfall: false,
    canReadSteps: false,
    detailFrom: windows.before.from,
    namespaces: null,
    workloads: null,
    visibleTeams: null,
    names: new Map(),
    unowned: new Set(UNOWNED),
  }
  const lines = new GroupLines()
  const { covers } = await loadClusterChanges(tx, named, { options, lines, signal: undefined, teams })
  const groups = lines.all().map(({ names: [namespace = '', workload = '', team = ''], effects, before, now }) => ({
    namespace,
    workload,
    team,
    effects,
    usd: now - before,
  }))
  return { groups, knownHours: { before: covers.before.hoursWithData, now: covers.now.hoursWithData } }
}

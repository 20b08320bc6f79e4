import { dayMs, type Decimal } from '@plimsoll/engine'
import { IDLE_NAMESPACE } from '@plimsoll/engine/idle'
import type { EffectSums } from '@plimsoll/engine/changes'
import type { FactLine, PartTree, Splits } from '@plimsoll/engine/incidents'
import { loadSplits, type ClusterSplits } from '../../costs/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import type { NewestHour } from '../queries/incidents.ts'
import { INSTALLATION, partKey, teamNamespacePart, teamPart } from './part-key.ts'

/** With fewer hours, workloads that run once a day would be new. */
const knownHoursMin = 12

/** What changed between the last 24 hours and the 24 hours before. */
export async function loadClusterSplits(
  tx: Db,
  clusters: readonly Pick<NewestHour, 'clusterId' | 'name'>[],
  end: Date,
  tree: PartTree,
): Promise<{ splits: Splits; lines: FactLine[] }> {
  const { rules } = await loadTeamMapping(tx)
  const splits = new Map<string, EffectSums>()
  const lines: FactLine[] = []
  const before = { from: new Date(end.getTime() - 2 * dayMs), to: new Date(end.getTime() - dayMs) }
  for (const { clusterId, name } of clusters) {
    const windows = { before, now: { from: before.to, to: end } }
    const found = await loadSplits(tx, { id: clusterId, name }, windows, rules)
    const workloads = addSplits(splits, clusterId, found, tree)
    lines.push(...factLines(clusterId, found, workloads))
  }
  return { splits, lines }
}

/** Returns the effects by workload. */
function addSplits(splits: Map<string, EffectSums>, clusterId: string, { groups }: ClusterSplits, { parts }: PartTree) {
  const workloads = new Map<string, EffectSums>()
  // A young cluster counts neither in the installation nor in teams.
  const isCounted = parts.get(clusterId)?.parents.includes(INSTALLATION) ?? false
  for (const { namespace, workload, team, effects } of groups) {
    const [, kind = '', workloadName] = workload.split('/')
    if (namespace.startsWith('__') || workloadName === undefined) continue
    const part = partKey(clusterId, { level: 'workload', namespace, kind, name: workloadName })
    addTo(workloads, part, effects)
    const above = [teamNamespacePart(clusterId, namespace, team).key, teamPart(team).key].filter((key) =>
      parts.has(key),
    )
    const keys = [part, `${clusterId}/${namespace}`, clusterId, ...(isCounted ? [INSTALLATION, ...above] : [])]
    for (const key of keys) addTo(splits, key, effects)
  }
  return workloads
}

/** A cluster that was connected in one of the windows has no facts: all its workloads would be new. */
function factLines(
  clusterId: string,
  { groups, knownHours }: ClusterSplits,
  workloads: ReadonlyMap<string, EffectSums>,
): FactLine[] {
  if (Math.min(knownHours.before, knownHours.now) < knownHoursMin) return []
  const sumOf = (some: ClusterSplits['groups']) => some.reduce((sum, { usd }) => sum + usd, 0n)
  const clusterUsd = sumOf(groups)
  const idleUsd = sumOf(groups.filter(({ namespace }) => namespace === IDLE_NAMESPACE))
  const whole = new Map<string, EffectSums>()
  for (const { effects } of groups) addTo(whole, clusterId, effects)
  const hours = Math.round((knownHours.before + knownHours.now) / 2)
  // Stored hours do not show which workloads an autoscaler scales, so more replicas count as usage.
  const others = { hours, clusterUsd, idleUsd, isAutoscaled: true }
  return [
    ...[...whole].map(([part, effects]) => ({ part, level: 'cluster' as const, effects, ...others })),
    ...[...workloads].map(([part, effects]) => ({ part, level: 'workload' as const, effects, ...others })),
  ]
}

function addTo(splits: Map<string, EffectSums>, key: string, effects: EffectSums): void {
  const sums = splits.get(key) ?? new Map<string, Decimal>()
  splits.set(key, sums)
  for (const [effect, usd] of effects) sums.set(effect, (sums.get(effect) ?? 0n) + usd)
}

import { searchKinds, type SearchKind, type SearchResults } from '@plimsoll/contract'
import { listVisibleClusters, type ClusterName } from '../clusters/index.ts'
import { seesWholeClusters, type Grant } from '../platform/auth/caller.ts'
import { seesWholeFleet } from '../platform/auth/whole-fleet.ts'
import type { Db } from '../platform/db/database.ts'
import { listRecommendations, presentRecommendations } from '../recommendations/index.ts'
import { labelsOfRules, loadTeamMapping, teamOf } from '../settings/index.ts'
import { findNewestCosts, listOwners, ownedWorkloads, type Owner, type OwnerSource } from './queries/owned-workloads.ts'
import {
  knownWorkloads,
  searchClusters,
  searchNodes,
  searchTeams,
  searchWorkloads,
  type Wanted,
  type Workloads,
} from './queries/search.ts'

/** Labels of hostile or careless clusters could have any number of values. */
const ownersMaxByDefault = 20_000

/** The objects whose names contain all words, as far as the caller may see them. */
export async function search(
  db: Db,
  caller: Grant,
  wanted: Wanted,
  { now, ownersMax = ownersMaxByDefault }: { now: Date; ownersMax?: number },
): Promise<SearchResults> {
  const clusters = await listVisibleClusters(db, caller.clusters)
  const { isCut, ...reports } = await searchReports(db, caller, clusters, { ...wanted, ownersMax })
  const results = {
    ...reports,
    clusters: await findClusters(db, caller, clusters, wanted),
    recommendations: await findRecommendations(db, caller, wanted, now),
  }
  const more = searchKinds.filter((kind) => results[kind].length > wanted.limit || isCut.includes(kind))
  return {
    clusters: results.clusters.slice(0, wanted.limit),
    teams: results.teams.slice(0, wanted.limit),
    namespaces: results.namespaces.slice(0, wanted.limit),
    workloads: results.workloads.slice(0, wanted.limit),
    nodes: results.nodes.slice(0, wanted.limit),
    recommendations: results.recommendations.slice(0, wanted.limit),
    more,
  }
}

const idsOf = (clusters: readonly ClusterName[]) => clusters.map(({ id }) => id)

async function findClusters(
  db: Db,
  { permissions, teams, namespaces }: Grant,
  visible: readonly ClusterName[],
  wanted: Wanted,
): Promise<SearchResults['clusters']> {
  if (!permissions.has('clusters:read') || teams !== null) return []
  const found = await searchClusters(db, idsOf(visible), wanted)
  return found.map(({ id, name, monthlyCost }) => ({
    id,
    name,
    // The cost of the whole cluster is not visible to a role limited to namespaces.
    monthly_cost: monthlyCost === null || namespaces !== null ? null : Number(monthlyCost),
  }))
}

async function findRecommendations(
  db: Db,
  caller: Grant,
  { words, limit }: Wanted,
  now: Date,
): Promise<SearchResults['recommendations']> {
  if (!caller.permissions.has('recommendations:read') || caller.teams !== null) return []
  const filter = { statuses: ['pending', 'approved'] as const, words, awakeAt: now }
  const page = { sort: '-bankable_savings' as const, after: undefined, limit: limit + 1 }
  return presentRecommendations(await listRecommendations(db, caller, filter, page), caller)
}

/** `isCut`: the kinds that may lack matches, because the team labels have too many values. */
type Reports = Pick<SearchResults, 'teams' | 'namespaces' | 'workloads' | 'nodes'> & { isCut: readonly SearchKind[] }
type WantedReports = Wanted & { ownersMax: number }

async function searchReports(
  db: Db,
  caller: Grant,
  clusters: readonly ClusterName[],
  { ownersMax, ...wanted }: WantedReports,
): Promise<Reports> {
  if (!caller.permissions.has('reports:read')) return { teams: [], namespaces: [], workloads: [], nodes: [], isCut: [] }
  const { teams, workloads, isCut } = await visibleParts(db, caller, clusters, ownersMax)
  return {
    isCut,
    teams: await searchTeams(db, teams, wanted),
    ...(await searchWorkloads(db, workloads, wanted)),
    nodes: seesWholeClusters(caller) ? await searchNodes(db, idsOf(clusters), wanted) : [],
  }
}

/** `teams` null: all. A role limited to clusters or namespaces sees the teams of its workloads. */
type VisibleParts = { teams: readonly string[] | null; workloads: Workloads; isCut: readonly SearchKind[] }

async function visibleParts(
  db: Db,
  caller: Grant,
  clusters: readonly ClusterName[],
  ownersMax: number,
): Promise<VisibleParts> {
  const workloads = knownWorkloads(idsOf(clusters), caller.namespaces)
  if (seesWholeFleet(caller)) return { teams: null, workloads, isCut: [] }
  const { source, owners, isCut } = await loadOwners(db, caller, clusters, ownersMax)
  const { teams } = caller
  if (teams === null)
    return { teams: owners.flatMap(({ team }) => team ?? []), workloads, isCut: isCut ? ['teams'] : [] }
  const own = owners.filter(({ team }) => team !== undefined && teams.includes(team))
  return { teams, workloads: ownedWorkloads(source, own), isCut: isCut ? ['namespaces', 'workloads'] : [] }
}

type TeamOwner = Owner & { team: string | undefined }

async function loadOwners(
  db: Db,
  { namespaces }: Grant,
  clusters: readonly ClusterName[],
  ownersMax: number,
): Promise<{ source: OwnerSource; owners: TeamOwner[]; isCut: boolean }> {
  const { rules } = await loadTeamMapping(db)
  const labelKeys = labelsOfRules(rules)
  const source = { newest: await findNewestCosts(db, idsOf(clusters)), namespaces, labelKeys }
  const names = new Map(clusters.map(({ id, name }) => [id, name]))
  const found = await listOwners(db, source, ownersMax + 1)
  const owners = found.slice(0, ownersMax).map((owner) => {
    const labels = Object.fromEntries(
      labelKeys.flatMap((key, index) => {
        const value = owner.labels[index]
        return typeof value === 'string' ? [[key, value] as const] : []
      }),
    )
    const place = { cluster: names.get(owner.clusterId) ?? '', namespace: owner.namespace }
    return { ...owner, team: teamOf(rules, { ...place, labels }) }
  })
  return { source, owners, isCut: found.length > ownersMax }
}

import { searchKinds, type SearchResults } from '@plimsoll/contract'
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
  searchNamespaces,
  searchNodes,
  searchTeams,
  searchWorkloads,
  type Wanted,
  type Workloads,
} from './queries/search.ts'

/** The objects whose names contain all words, as far as the caller may see them. */
export async function search(db: Db, caller: Grant, wanted: Wanted, now: Date): Promise<SearchResults> {
  const clusters = await listVisibleClusters(db, caller.clusters)
  const results = {
    ...(await searchReports(db, caller, clusters, wanted)),
    clusters: await findClusters(db, caller, clusters, wanted),
    recommendations: await findRecommendations(db, caller, wanted, now),
  }
  const more = searchKinds.filter((kind) => results[kind].length > wanted.limit)
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

type Reports = Pick<SearchResults, 'teams' | 'namespaces' | 'workloads' | 'nodes'>

async function searchReports(
  db: Db,
  caller: Grant,
  clusters: readonly ClusterName[],
  wanted: Wanted,
): Promise<Reports> {
  if (!caller.permissions.has('reports:read')) return { teams: [], namespaces: [], workloads: [], nodes: [] }
  const { teams, workloads } = await visibleParts(db, caller, clusters)
  return {
    teams: await searchTeams(db, teams, wanted),
    namespaces: await searchNamespaces(db, workloads, wanted),
    workloads: await searchWorkloads(db, workloads, wanted),
    nodes: seesWholeClusters(caller) ? await searchNodes(db, idsOf(clusters), wanted) : [],
  }
}

/** `teams` null: all. A role limited to clusters or namespaces sees the teams of its workloads. */
type VisibleParts = { teams: readonly string[] | null; workloads: Workloads }

async function visibleParts(db: Db, caller: Grant, clusters: readonly ClusterName[]): Promise<VisibleParts> {
  const workloads = knownWorkloads(idsOf(clusters), caller.namespaces)
  if (seesWholeFleet(caller)) return { teams: null, workloads }
  const { source, owners } = await loadOwners(db, caller, clusters)
  const { teams } = caller
  if (teams === null) return { teams: owners.flatMap(({ team }) => team ?? []), workloads }
  const own = owners.filter(({ team }) => team !== undefined && teams.includes(team))
  return { teams, workloads: ownedWorkloads(source, own) }
}

type TeamOwner = Owner & { team: string | undefined }

async function loadOwners(
  db: Db,
  { namespaces }: Grant,
  clusters: readonly ClusterName[],
): Promise<{ source: OwnerSource; owners: TeamOwner[] }> {
  const { rules } = await loadTeamMapping(db)
  const labelKeys = labelsOfRules(rules)
  const source = { newest: await findNewestCosts(db, idsOf(clusters)), namespaces, labelKeys }
  const names = new Map(clusters.map(({ id, name }) => [id, name]))
  const owners = (await listOwners(db, source)).map((owner) => {
    const labels = Object.fromEntries(
      labelKeys.flatMap((key, index) => {
        const value = owner.labels[index]
        return typeof value === 'string' ? [[key, value] as const] : []
      }),
    )
    const place = { cluster: names.get(owner.clusterId) ?? '', namespace: owner.namespace }
    return { ...owner, team: teamOf(rules, { ...place, labels }) }
  })
  return { source, owners }
}

import { findAdviceRevision } from './queries/advice-revision.ts'
import type { Db } from '../platform/db/database.ts'
import { sumByStatus, type RecommendationFilter, type Sight, type StatusTotal } from './queries/recommendations.ts'
import { KeptFigures } from '../platform/kept-figures.ts'

const filtersKeptMax = 500

/** Sums over tens of thousands of recommendations of a cluster, which change less often than they are read. */
export class KeptTotals {
  readonly #kept = new KeptFigures<StatusTotal[]>(filtersKeptMax)

  /**
   * Sums of several clusters are computed each time, and so are sums by verification, which changes without a new
   * recommendation.
   */
  readonly sumByStatus = async (tx: Db, sight: Sight, filter: RecommendationFilter): Promise<StatusTotal[]> => {
    const { awakeAt, statuses: _any, ...which } = filter
    const [clusterId, ...others] = filter.clusterIds ?? []
    const isKept = clusterId !== undefined && others.length === 0 && filter.verifications === undefined
    if (!isKept || awakeAt === undefined) return sumByStatus(tx, sight, filter)
    const key = JSON.stringify([sight.clusters, sight.namespaces, which])
    const revision = await findAdviceRevision(tx, clusterId, awakeAt)
    return this.#kept.get(key, revision, () => sumByStatus(tx, sight, filter))
  }
}

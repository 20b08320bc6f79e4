import { findAdviceRevision } from './queries/advice-revision.ts'
import type { Db } from '../platform/db/database.ts'
import { sumByStatus, type RecommendationFilter, type Sight, type StatusTotal } from './queries/recommendations.ts'
import { KeptFigures } from '../platform/kept-figures.ts'

const filtersKeptMax = 500

/** Sums over tens of thousands of recommendations of a cluster, which change far less often than they are asked for. */
export class KeptTotals {
  readonly #kept = new KeptFigures<StatusTotal[]>(filtersKeptMax)

  /**
   * Of several clusters at once they are computed each time; and so are those by what became of it, for that changes without
   * any advice being another.
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

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { priceIncludes, operations } from '@plimsoll/contract'
import { listCloudResourceClasses } from '../queries/cloud-resource-classes.ts'
import { listNodeClasses } from '../queries/node-classes.ts'
import { listPriceOverrides, loadPriceTerms } from '../queries/price-overrides.ts'
import { findRepricing } from '../queries/repricing.ts'
import type { Deps } from '../../platform/deps.ts'
import { listSources, startOfHour, termsInForce } from '@plimsoll/pipeline/prices'
import { severalOf } from '../../platform/http/several-of.ts'
import { presentCloudResourcePrices } from '../present-cloud-resource-prices.ts'
import { presentClassPrice } from '../present-class-price.ts'
import { visibleClusterOfQuery, wholeCluster } from '../../clusters/index.ts'
import { listShownOverrides, presentOverride } from './price-overrides.ts'
import { handle } from '../../platform/http/handle.ts'

/** Retention of hours of workloads: a class last seen before is in none of them. */
const keptMs = 35 * 24 * 3_600_000

export const priceRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.getPrices, {
    preValidation: [visibleClusterOfQuery(deps), wholeCluster],
    handler: async (request) => {
      const { cluster_id: clusterId, include } = request.query
      const parts = severalOf('include', include, priceIncludes) ?? []
      const hour = startOfHour(deps.now())
      const terms = await loadPriceTerms(deps.db, clusterId)
      const classes = await listNodeClasses(deps.db, clusterId, new Date(hour.getTime() - keptMs))
      const cloudResourceClasses = await listCloudResourceClasses(deps.db, clusterId, new Date(hour.getTime() - keptMs))
      const book = await deps.prices.current(deps.db)
      const page = { visible: null, clusterId, endedBy: hour, after: undefined, limit: terms.overrides.length }
      const overrides = await listPriceOverrides(deps.db, page)
      const cloudResources = presentCloudResourcePrices(book, cloudResourceClasses, terms, hour)
      const nodes = classes.map((row) => presentClassPrice(book, row, (query) => termsInForce(terms, hour, query)))
      const priced = [
        nodes,
        cloudResources.storage_classes,
        cloudResources.load_balancers,
        cloudResources.control_plane,
      ].flat()
      return {
        cluster_id: clusterId,
        currency: 'USD',
        hour: hour.toISOString(),
        book: { version: book.version, as_of: book.asOf, as_of_date: book.asOf },
        repricing_from: (await findRepricing(deps.db, clusterId))?.toISOString() ?? null,
        ...cloudResources,
        node_classes: nodes,
        sources: listSources(
          book,
          priced.map(({ price }) => price.source),
        ),
        overrides: overrides.filter(({ effective_from: from }) => from <= hour).map(presentOverride),
        ...(parts.includes('price_overrides') ? { price_overrides: await listShownOverrides(deps, request) } : {}),
      }
    },
  })
}

import type { Condition } from '@plimsoll/contract'
import { findProvider, knownProviders } from '@plimsoll/pricebook'
import { nearestName } from '../platform/http/nearest-name.ts'
import { unknownPlace } from './place.ts'
import { quoted } from '../platform/http/problem.ts'

type Place = { provider: string; conditions: readonly Condition[]; created_at: Date }

/**
 * An unknown provider name is accepted and may be a typing error. The condition explains the effect until all nodes
 * have a price. It is derived on each read, so it applies before any agent has reported. It has no start time, because
 * a rename must not make an old error look new.
 */
export function providerConditions({ provider, conditions, created_at: since }: Place): Condition[] {
  if (provider === unknownPlace || findProvider(provider) !== undefined || isListed(conditions)) return []
  const near = nearestName(provider.toLowerCase(), knownProviders)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  const message =
    `There is no price list for the provider ${quoted(provider)}.${meant} If no node reports a known provider, nodes and volumes have ` +
    `estimated prices; load balancers and the control plane are not priced. Set the provider of the cluster to one of ${knownProviders.join(', ')}.`
  return [{ type: 'provider', ok: false, reason: 'no_price_list', message, since: since.toISOString() }]
}

/** Nodes report their provider, or a user has set their prices. */
const isListed = (conditions: readonly Condition[]) =>
  conditions.some(({ type, reason }) => type === 'prices' && (reason === 'listed' || reason === 'nodes_listed'))

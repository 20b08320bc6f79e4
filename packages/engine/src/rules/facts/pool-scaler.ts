import type { PoolScaler } from '../action.ts'
import type { ClusterFacts } from './cluster-facts.ts'

export const poolScaler = ({ pools }: Pick<ClusterFacts, 'pools'>, pool: string): PoolScaler =>
  pools.find(({ name }) => name === pool)?.scaler ?? 'unknown'

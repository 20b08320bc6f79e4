/** Positions of the safety margin. */
export const DIAL_NAMES = ['thrifty', 'balanced', 'safe'] as const
export type DialName = (typeof DIAL_NAMES)[number]

/** Answers of a user about the autoscaling of a node pool. */
export const POOL_SCALINGS = ['automatic', 'manual'] as const
export type PoolScaling = (typeof POOL_SCALINGS)[number]

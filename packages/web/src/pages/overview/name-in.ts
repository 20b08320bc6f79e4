import type { Overview } from '@plimsoll/contract'

export const nameIn =
  ({ clusters }: Pick<Overview, 'clusters'>) =>
  (clusterId: string): string =>
    clusters.find(({ id }) => id === clusterId)?.name ?? ''

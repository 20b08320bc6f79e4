import type { WithheldList } from '@plimsoll/contract'

/** All reasons together are all that is withheld. */
export const countAll = (counts: WithheldList['counts']) => (counts ?? []).reduce((sum, { count }) => sum + count, 0)

import type { WithheldList } from '@plimsoll/contract'

/** The number of withheld recommendations over all reasons. */
export const countAll = (counts: WithheldList['counts']) => (counts ?? []).reduce((sum, { count }) => sum + count, 0)

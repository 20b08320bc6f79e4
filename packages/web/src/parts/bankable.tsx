import type { Recommendation } from '@plimsoll/contract'
import type { ReactNode } from 'react'
import { Explained } from './explained.tsx'

export type Saving = Pick<Recommendation, 'bankable_savings' | 'estimated_savings'> &
  Partial<Pick<Recommendation, 'bankable_because'>>

/** What leaves the bill, as its row shows it; asked, it says why that is more or less than the estimate. */
export function Bankable({ of: saving, children }: { of: Saving; children: ReactNode }) {
  const { bankable_savings: bankable, estimated_savings: estimated, bankable_because: because } = saving
  if (!because) return children
  return (
    <Explained
      title="What leaves the bill"
      how={because}
      parts={[
        { name: 'Estimated $/mo', usd: estimated },
        { name: 'Bankable $/mo', usd: bankable },
      ]}
    >
      {children}
    </Explained>
  )
}

import type { Recommendation } from '@plimsoll/contract'
import type { ReactNode } from 'react'
import { Explained } from './explained.tsx'

export type Saving = Pick<Recommendation, 'bankable_savings' | 'estimated_savings'> &
  Partial<Pick<Recommendation, 'bankable_because'>>

/** Bankable savings; the explanation says why they differ from the estimate. */
export function Bankable({ of: saving, children }: { of: Saving; children: ReactNode }) {
  const { bankable_savings: bankable, estimated_savings: estimated, bankable_because: because } = saving
  if (!because) return children
  return (
    <Explained
      title="Bankable savings"
      how={because}
      parts={[
        { name: 'Estimated $/month', usd: estimated },
        { name: 'Bankable $/month', usd: bankable },
      ]}
    >
      {children}
    </Explained>
  )
}

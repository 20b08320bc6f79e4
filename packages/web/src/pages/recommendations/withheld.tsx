import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { withheldCountQuery } from '../../api/queries.ts'
import { WithheldDialog } from './withheld-dialog.tsx'

type Props = { clusterId: string | undefined; nameOf: (clusterId: string) => string }

/** How much no advice is given about, and on request why. */
export function Withheld({ clusterId, nameOf }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: count } = useQuery(withheldCountQuery(clusterId))
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Withheld
        {count !== undefined && <span className="font-normal text-ink-3">{count.toLocaleString('en-US')}</span>}
      </button>
      {isOpen && <WithheldDialog clusterId={clusterId} nameOf={nameOf} onClose={() => setOpen(false)} />}
    </>
  )
}

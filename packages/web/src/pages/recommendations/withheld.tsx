import { useState } from 'react'
import { number } from '../../format/quantity.ts'
import { WithheldDialog } from './withheld-dialog.tsx'

type Props = { count: number | undefined; clusterId: string | undefined; nameOf: (clusterId: string) => string }

/** The number of withheld recommendations; a click lists the reasons. */
export function Withheld({ count, clusterId, nameOf }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Withheld
        {count !== undefined && <span className="font-normal text-ink-3">{number(count)}</span>}
      </button>
      {isOpen && <WithheldDialog clusterId={clusterId} nameOf={nameOf} onClose={() => setOpen(false)} />}
    </>
  )
}

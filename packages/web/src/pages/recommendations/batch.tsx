import type { Recommendation } from '@plimsoll/contract'
import { useState } from 'react'
import { useBatch } from '../../parts/moves.ts'
import { useMay } from '../../api/session.ts'
import { ApplyDialog } from '../../parts/apply-dialog.tsx'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { ManifestDialog } from '../manifests/manifest-dialog.tsx'
import { BatchBar } from './batch-bar.tsx'
import { useRowKeys } from './row-keys.ts'
import type { Selection } from './selection.ts'

type Props = {
  rows: readonly Recommendation[]
  current: number
  selection: Selection
  onCurrent: (place: number) => void
  onOpen: (row: Recommendation) => void
}

/** Actions on the selection, or on the current row with the keyboard. */
export function Batch({ rows, current, selection, onCurrent, onOpen }: Props) {
  const may = useMay()
  const [asking, setAsking] = useState<'reason' | 'manifests' | 'apply' | null>(null)
  const batch = useBatch(selection.clear)
  const pointedAt = rows[current]
  const ids = selection.ids.length > 0 ? selection.ids : pointedAt ? [pointedAt.id] : []
  const mayWrite = may('recommendations:write')
  const approve = () => batch.mutate({ action: 'approve', ids })
  const reject = (reason: string) => {
    setAsking(null)
    batch.mutate({ action: 'reject', ids, reason })
  }
  useRowKeys({
    count: rows.length,
    current,
    onMove: onCurrent,
    onOpen: () => pointedAt && onOpen(pointedAt),
    onSelect: (isRange) => pointedAt && selection.toggle(pointedAt.id, isRange),
    onApprove: () => mayWrite && approve(),
    onReject: () => mayWrite && setAsking('reason'),
    onManifests: () => setAsking('manifests'),
    onClear: selection.clear,
  })
  return (
    <>
      {selection.ids.length > 0 && (
        <BatchBar
          ids={selection.ids}
          isBusy={batch.isPending}
          onApprove={mayWrite ? approve : undefined}
          onApply={may('recommendations:apply') ? () => setAsking('apply') : undefined}
          onReject={mayWrite ? () => setAsking('reason') : undefined}
          onManifests={() => setAsking('manifests')}
          onClear={selection.clear}
        />
      )}
      {asking === 'reason' && <ReasonDialog ids={ids.length} onClose={() => setAsking(null)} onReject={reject} />}
      {asking === 'apply' && (
        <ApplyDialog
          ids={ids.length}
          onClose={() => setAsking(null)}
          onApply={() => {
            setAsking(null)
            batch.mutate({ action: 'apply', ids })
          }}
        />
      )}
      {asking === 'manifests' && <ManifestDialog source={{ ids }} onClose={() => setAsking(null)} />}
    </>
  )
}

import type { Recommendation } from '@plimsoll/contract'
import { useState } from 'react'
import { manifestIdsMax } from '../../api/manifests.ts'
import { useBatch } from '../../api/moves.ts'
import { useMay } from '../../api/session.ts'
import { count } from '../../format/quantity.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { ManifestPanel } from '../manifests/manifest-panel.tsx'
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
  const [asking, setAsking] = useState<'reason' | 'manifests' | null>(null)
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
          onApply={may('recommendations:apply') ? () => batch.mutate({ action: 'apply', ids }) : undefined}
          onReject={mayWrite ? () => setAsking('reason') : undefined}
          onManifests={() => setAsking('manifests')}
          onClear={selection.clear}
        />
      )}
      {asking === 'reason' && <ReasonDialog ids={ids.length} onClose={() => setAsking(null)} onReject={reject} />}
      {asking === 'manifests' && <ManifestDialog ids={ids} onClose={() => setAsking(null)} />}
    </>
  )
}

function ManifestDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title={`Manifests for ${count(ids.length, 'recommendation')}`} onClose={onClose} shape="wide">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {ids.length > manifestIdsMax && (
          <Note tone="warn" icon="warn">
            At most {manifestIdsMax} at once: these manifests cover the first {manifestIdsMax}.
          </Note>
        )}
        <ManifestPanel ids={ids} />
      </div>
      <button type="button" className="button mt-4" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

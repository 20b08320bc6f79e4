import { manifestIdsMax } from '../../api/manifests.ts'
import { count } from '../../format/quantity.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { ManifestPanel } from './manifest-panel.tsx'

type Props = {
  ids: readonly string[]
  /** The number of recommendations, if `ids` are only the first ones. */
  of?: number
  onClose: () => void
}

export function ManifestDialog({ ids, of = ids.length, onClose }: Props) {
  return (
    <Dialog title={`Manifests for ${count(of, 'recommendation')}`} onClose={onClose} shape="wide">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {of > Math.min(ids.length, manifestIdsMax) && (
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

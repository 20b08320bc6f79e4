import { manifestIdsMax } from '../../api/manifests.ts'
import { count } from '../../format/quantity.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { ManifestPanel } from './manifest-panel.tsx'

export function ManifestDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
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

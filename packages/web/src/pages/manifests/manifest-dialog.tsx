import { manifestIdsMax, type ManifestSource } from '../../api/manifests.ts'
import { count } from '../../format/quantity.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { ManifestPanel } from './manifest-panel.tsx'

type Props = {
  source: ManifestSource
  /** The number of recommendations, if the source has only the first ones. */
  of?: number
  onClose: () => void
}

export function ManifestDialog({ source, of = source.ids.length, onClose }: Props) {
  return (
    <Dialog title={`Manifests for ${count(of, 'recommendation')}`} onClose={onClose} shape="wide">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {of > Math.min(source.ids.length, manifestIdsMax) && (
          <Note tone="warn" icon="warn">
            At most {manifestIdsMax} at once: these manifests cover the first {manifestIdsMax}.
          </Note>
        )}
        <ManifestPanel source={source} />
      </div>
      <button type="button" className="button mt-4" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

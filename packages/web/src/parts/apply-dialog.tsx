import { count } from '../format/quantity.ts'
import { Dialog } from './dialog.tsx'
import { KeyHint } from './key-hint.tsx'

type Props = { ids: number; onApply: () => void; onClose: () => void }

/** Plimsoll changes nothing in a cluster: the user confirms that the change is applied. */
export function ApplyDialog({ ids, onApply, onClose }: Props) {
  return (
    <Dialog title={`Mark ${count(ids, 'recommendation')} as implemented`} onClose={onClose}>
      <p className="max-w-[48ch] text-ink-2">
        Apply the change first: Plimsoll changes nothing in the cluster. The next agent reports verify the change. Until
        the change is observed, you can undo this.
      </p>
      <div className="mt-4 flex items-center gap-2">
        <button type="button" className="button button-primary" onClick={onApply}>
          Mark as implemented
        </button>
        <button type="button" className="button button-quiet" onClick={onClose}>
          Cancel <KeyHint>esc</KeyHint>
        </button>
      </div>
    </Dialog>
  )
}

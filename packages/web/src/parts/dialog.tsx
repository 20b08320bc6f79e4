import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'

type Props = { title: string; onClose: () => void; children: ReactNode; shape?: 'wide' | 'list' | 'palette' }

/** A dialog to read gets the focus on its title, because its controls may still load. A form gets it on the first field. */
const isRead = (shape: Props['shape']) => shape === 'wide' || shape === 'list'

/** The native dialog keeps the focus inside and closes on Escape. */
export function Dialog({ title, onClose, children, shape }: Props) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // Closed before it is removed: only then the browser returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    heading.current?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={`dialog ${shape === undefined ? '' : `dialog-${shape}`}`}
      aria-labelledby={id}
      onClick={(event) => {
        // A click on the backdrop arrives as a click on the dialog itself.
        if (event.target === ref.current && isOutside(ref.current, event)) onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2
        id={id}
        className={shape === 'palette' ? 'sr-only' : ''}
        {...(isRead(shape) ? { ref: heading, tabIndex: -1 } : {})}
      >
        {title}
      </h2>
      {children}
    </dialog>
  )
}

function Cancel({ onCancel }: { onCancel: () => void }) {
  return (
    <button type="button" className="button button-quiet" onClick={onCancel}>
      Cancel
    </button>
  )
}

type FormProps = { word: string; isReady?: boolean; onCancel: () => void }

/** The buttons of a form; the first one submits it. */
export function FormActions({ word, isReady = true, onCancel }: FormProps) {
  return (
    <div className="mt-3 flex gap-2">
      <button type="submit" className="button button-primary" disabled={!isReady}>
        {word}
      </button>
      <Cancel onCancel={onCancel} />
    </div>
  )
}

type DangerProps = { word: string; isReady?: boolean; onDo: () => void; onCancel: () => void }

/** The buttons of a confirmation that cannot be undone. */
export function DangerousActions({ word, isReady = true, onDo, onCancel }: DangerProps) {
  return (
    <div className="mt-4 flex gap-2">
      <button type="button" className="button button-danger" disabled={!isReady} onClick={onDo}>
        {word}
      </button>
      <Cancel onCancel={onCancel} />
    </div>
  )
}

function isOutside(dialog: HTMLDialogElement, { clientX: x, clientY: y }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}

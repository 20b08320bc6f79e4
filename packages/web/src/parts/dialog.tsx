import { useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'

type Props = { title: string; onClose: () => void; children: ReactNode; shape?: 'wide' | 'list' | 'palette' }

/** What is read: its controls may still be on their way, so the focus begins at the title each time. In a form it is the first field. */
const isRead = (shape: Props['shape']) => shape === 'wide' || shape === 'list'

/** The browser's own: it keeps the focus inside, closes on Escape and needs no library. */
export function Dialog({ title, onClose, children, shape }: Props) {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // Closed while it is still part of the page: only then the browser gives the focus back to what opened it.
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
        // What lies behind it is pressed by pressing the dialog itself.
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

type DangerProps = { word: string; isReady?: boolean; onDo: () => void; onCancel: () => void }

/** The two ways out of a question about something that cannot be taken back. */
export function DangerousActions({ word, isReady = true, onDo, onCancel }: DangerProps) {
  return (
    <div className="mt-4 flex gap-2">
      <button type="button" className="button button-danger" disabled={!isReady} onClick={onDo}>
        {word}
      </button>
      <button type="button" className="button button-quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}

function isOutside(dialog: HTMLDialogElement, { clientX: x, clientY: y }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}

import { useEffect, useRef } from 'react'
import { isTyping } from '../../parts/keys.ts'

type Keys = {
  count: number
  current: number
  onMove: (index: number) => void
  onOpen: () => void
  onSelect: (isRange: boolean) => void
  onApprove: () => void
  onReject: () => void
  onManifests: () => void
  onClear: () => void
}

/** Shortcuts of the list: j and k move, x selects, a approves, r rejects. */
export function useRowKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Escape first closes an open explanation, which handles the key itself.
      if (event.defaultPrevented || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const { count, current, ...on } = latest.current
      const actions: Record<string, () => void> = {
        j: () => on.onMove(Math.min(count - 1, current + 1)),
        k: () => on.onMove(Math.max(0, current - 1)),
        x: () => on.onSelect(false),
        X: () => on.onSelect(true),
        a: on.onApprove,
        r: on.onReject,
        m: on.onManifests,
        Escape: on.onClear,
      }
      // Links and buttons handle Enter themselves.
      if (event.target === document.body || event.target === document.getElementById('main')) actions.Enter = on.onOpen
      const action = actions[event.key]
      if (!action || count === 0) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

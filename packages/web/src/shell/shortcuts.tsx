import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { isTyping } from '../parts/keys.ts'
import { keepCluster } from './navigation.tsx'

const goTo = {
  o: '/',
  r: '/recommendations',
  a: '/allocation',
  e: '/efficiency',
  n: '/nodes',
  s: '/savings',
  c: '/clusters',
} as const

const sheet: [keys: string[], what: string][] = [
  [['/'], 'search workloads'],
  [['?'], 'this sheet'],
  [['g', 'o'], 'overview'],
  [['g', 'r'], 'recommendations'],
  [['g', 'a'], 'allocation'],
  [['g', 'e'], 'efficiency'],
  [['g', 'n'], 'nodes'],
  [['g', 's'], 'savings'],
  [['g', 'c'], 'clusters'],
  [['j', 'k'], 'next and previous recommendation'],
  [['x'], 'select it'],
  [['shift', 'x'], 'select all from the last selected one'],
  [['enter'], 'open it'],
  [['a'], 'approve what is selected'],
  [['r'], 'reject what is selected, with a reason'],
  [['esc'], 'clear the selection, close what is open'],
]

type Props = { isOpen: boolean; onOpen: () => void; onClose: () => void }

export function Shortcuts({ isOpen, onOpen, onClose }: Props) {
  const navigate = useNavigate()
  const isGoing = useRef(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const to = goTo[event.key as keyof typeof goTo]
      if (isGoing.current && to !== undefined) {
        event.preventDefault()
        event.stopImmediatePropagation()
        void navigate({ to, search: keepCluster })
      } else if (event.key === '?') onOpen()
      else if (event.key === '/') {
        event.preventDefault()
        document.getElementById('search')?.focus()
      }
      isGoing.current = event.key === 'g'
    }
    // Before the keys of a page: after a g they mean another one.
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [navigate, onOpen])
  if (!isOpen) return null
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {sheet.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="keycap">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button mt-4" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { isTyping, paletteKeys } from '../parts/keys.ts'
import { useMayOpen } from './page-access.ts'
import { keepCluster, menuPages } from './menu-pages.ts'

type Sheet = [where: string, keys: [keys: string[], what: string][]][]

const sheet: Sheet = [
  [
    'All pages',
    [
      [[paletteKeys], 'Go to a page, cluster, namespace or workload'],
      [['/'], 'Search workloads'],
      [['?'], 'Show keyboard shortcuts'],
      [['esc'], 'Close a dialog or menu'],
    ],
  ],
  [
    'Recommendations',
    [
      [['j', 'k'], 'Next or previous recommendation'],
      [['enter'], 'Open'],
      [['x'], 'Select'],
      [['shift', 'x'], 'Select a range'],
      [['a'], 'Approve the selection'],
      [['r'], 'Reject the selection'],
      [['m'], 'Show manifests of the selection'],
      [['esc'], 'Clear the selection'],
    ],
  ],
]

type Props = { isOpen: boolean; onOpen: () => void; onClose: () => void }

export function Shortcuts({ isOpen, onOpen, onClose }: Props) {
  const navigate = useNavigate()
  const mayOpen = useMayOpen()
  const open = menuPages.filter(({ to }) => mayOpen(to))
  const isGoing = useRef(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const to = open.find(({ key }) => key === event.key)?.to
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
    // Before the shortcuts of a page, because keys after g open pages.
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [navigate, onOpen, open])
  if (!isOpen) return null
  const [everywhere, ...others] = sheet
  const pages: Sheet = [['Pages', open.map(({ key, word }) => [['g', key], word])]]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} shape="wide">
      <div className="grid gap-x-8 gap-y-4 phone:grid-cols-2">
        {[...(everywhere ? [everywhere] : []), ...pages, ...others].map(([where, keys]) => (
          <section key={where} className={where === 'All pages' ? 'phone:col-span-2' : ''}>
            <h3 className="mb-1.5 text-sm text-ink-3">{where}</h3>
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
              {keys.map(([caps, what]) => (
                <div key={what} className="contents">
                  <dt className="flex gap-1">
                    {caps.map((key) => (
                      <kbd key={key} className="keycap">
                        {key}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" className="button mt-4" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

import { useEffect, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { usePaletteEntries, type Entry, type EntryGroup } from './palette-entries.ts'

type Props = { onClose: () => void; onHelp: () => void }

const idOf = ({ id }: Entry) => `palette-${id}`

/**
 * Search field for pages, objects and actions; arrow keys select, Enter opens. It is part of the first bundle: if it loaded
 * later, typed letters would trigger the shortcuts of the page.
 */
export function Palette({ onClose, onHelp }: Props) {
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const { groups, isLooking, isTooShort } = usePaletteEntries(text, onHelp)
  const entries = groups.flatMap((group) => group.entries)
  // The list may be shorter than when the arrow keys were used.
  const place = Math.min(current, entries.length - 1)
  const chosen = entries[place]
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setCurrent((place + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  useEffect(() => {
    if (chosen) document.getElementById(idOf(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <Dialog title="Go to" onClose={onClose} shape="palette">
      <input
        className="palette-input"
        role="combobox"
        aria-label="Go to a page, cluster, namespace or workload"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        {...(chosen ? { 'aria-activedescendant': idOf(chosen) } : {})}
        placeholder="Go to a page, cluster, namespace or workload …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setCurrent(0)
        }}
        onKeyDown={press}
      />
      <Options groups={groups} chosen={chosen} onPick={run} />
      {(isTooShort || entries.length === 0) && (
        <p className="px-4 pt-1 pb-5 text-ink-3" role="status">
          {isTooShort
            ? 'Type two letters to find clusters, workloads and other objects.'
            : isLooking
              ? 'Searching …'
              : `No match for “${text}”.`}
        </p>
      )}
    </Dialog>
  )
}

type OptionsProps = { groups: readonly EntryGroup[]; chosen: Entry | undefined; onPick: (entry: Entry) => void }

function Options({ groups, chosen, onPick }: OptionsProps) {
  return (
    <div id="palette-list" className="palette-list" role="listbox" aria-label="Matches">
      {groups.map(({ name, entries }) => (
        <div key={name} role="group" aria-label={name}>
          <p className="menu-label" aria-hidden="true">
            {name}
          </p>
          {entries.map((entry) => (
            <Option key={entry.id} entry={entry} isChosen={entry === chosen} onPick={() => onPick(entry)} />
          ))}
        </div>
      ))}
    </div>
  )
}

function Option({ entry, isChosen, onPick }: { entry: Entry; isChosen: boolean; onPick: () => void }) {
  return (
    <div id={idOf(entry)} role="option" aria-selected={isChosen} className="palette-item" onClick={onPick}>
      <span className="truncate">{entry.word}</span>
      <span className="ml-auto flex shrink-0 items-center gap-1 text-sm text-ink-3">
        {entry.detail}
        {entry.keys?.map((key) => (
          <KeyHint key={key}>{key}</KeyHint>
        ))}
      </span>
    </div>
  )
}

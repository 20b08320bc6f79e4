import { useNavigate, useSearch } from '@tanstack/react-router'

const bands = [
  ['median', 'bg-[var(--band-50)]'],
  ['p90', 'bg-[var(--band-90)]'],
  ['max', 'bg-[var(--band-max)]'],
] as const

/** The legend, with a switch for the lines of other tools. */
export function UsageLegend({ hasRivals }: { hasRivals: boolean }) {
  return (
    <span className="flex flex-wrap justify-end gap-x-3">
      {bands.map(([word, className]) => (
        <span key={word} className="flex items-center gap-1.5">
          <span className={`swatch ${className}`} />
          {word}
        </span>
      ))}
      {hasRivals && <RivalSwitch />}
    </span>
  )
}

function RivalSwitch() {
  const { compare } = useSearch({ from: '/shell/recommendations/$id' })
  const navigate = useNavigate({ from: '/recommendations/$id' })
  const isShown = compare !== 'off'
  const turn = () =>
    void navigate({
      search: ({ compare: _before, ...old }) => (isShown ? { ...old, compare: 'off' as const } : old),
      replace: true,
      resetScroll: false,
    })
  return (
    <label className="flex cursor-pointer items-center gap-1.5">
      <input type="checkbox" className="choice" checked={isShown} onChange={turn} />
      <span className="rival-swatch" aria-hidden="true" />
      VPA, KRR
    </label>
  )
}

import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { KeyHint } from '../../parts/key-hint.tsx'
import { isTyping } from '../../parts/keys.ts'
import { usePlace, type Neighbours } from './neighbours.ts'

/** Steps through the list with buttons or keys; the back button returns to the list. */
export function PreviousNext({ id }: { id: string }) {
  const { neighbours, missing } = usePlace(id)
  useWalkKeys(neighbours)
  if (missing !== undefined) return <span className="self-center text-sm text-ink-3">{missing}</span>
  if (!neighbours) return null
  return (
    <nav aria-label="List of recommendations" className="flex gap-2">
      <Step to={neighbours.previous} word="Previous" keyName="k" />
      <Step to={neighbours.next} word="Next" keyName="j" />
    </nav>
  )
}

function Step({ to, word, keyName }: { to: string | undefined; word: string; keyName: string }) {
  const inside = (
    <>
      {word} <KeyHint>{keyName}</KeyHint>
    </>
  )
  return to === undefined ? (
    <button type="button" className="button" disabled>
      {inside}
    </button>
  ) : (
    <Link to="/recommendations/$id" params={{ id: to }} search={(old) => old} replace className="button">
      {inside}
    </Link>
  )
}

function useWalkKeys(neighbours: Neighbours | undefined): void {
  const navigate = useNavigate({ from: '/recommendations/$id' })
  const { previous, next } = neighbours ?? {}
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const id = event.key === 'j' ? next : event.key === 'k' ? previous : undefined
      if (id === undefined) return
      event.preventDefault()
      void navigate({ to: '/recommendations/$id', params: { id }, search: (old) => old, replace: true })
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [navigate, previous, next])
}

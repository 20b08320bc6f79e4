import { Tag } from '../../../parts/state-tags.tsx'
import type { Origin } from './policy-draft.ts'

const words: Record<Exclude<Origin, 'here'>, string> = { default: 'default value', cluster: 'from cluster' }

/** The origin of a setting. */
export function OriginTag({ origin }: { origin: Origin }) {
  if (origin === 'here') return <Tag>set here</Tag>
  return <span className="text-sm text-ink-3">{words[origin]}</span>
}

type BackProps = { to: Exclude<Origin, 'here'>; what: string; onBack: () => void }

export function BackButton({ to, what, onBack }: BackProps) {
  const word = to === 'default' ? 'Reset to default' : 'Reset to cluster policy'
  return (
    <button type="button" className="link min-h-6 text-sm text-ink-2" aria-label={`${word}: ${what}`} onClick={onBack}>
      {word}
    </button>
  )
}

import type { LevelName, SeverityName } from '@plimsoll/contract'
import type { ReactNode } from 'react'
import { levelRanks, type Tone } from '../format/labels.ts'
import { Icon, type IconName } from './icon.tsx'

const toneIcons: Record<Tone, IconName> = { ok: 'check', warn: 'clock', danger: 'alert', muted: 'clock' }

/** A colour always comes with an icon and a word. */
export function State({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`state tone-${tone}`}>
      <Icon name={icon ?? toneIcons[tone]} />
      {children}
    </span>
  )
}

export function Tag({ tone, children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span className={`tag ${tone === undefined ? '' : `tone-${tone}`}`} title={title}>
      {children}
    </span>
  )
}

type NoteProps = { tone?: 'ok' | 'warn' | 'danger'; icon?: IconName; role?: 'alert' | 'status'; children: ReactNode }

export function Note({ tone, icon, role, children }: NoteProps) {
  return (
    <div className={`note ${tone === undefined ? '' : `note-${tone}`}`} role={role}>
      {icon !== undefined && <Icon name={icon} />}
      <div className="min-w-0 grow">{children}</div>
    </div>
  )
}

const heights = [5, 8, 11]
export function Risk({ level }: { level: LevelName }) {
  return (
    <span className="risk">
      <span className="risk-marks" aria-hidden="true">
        {heights.map((height, index) => (
          <i key={height} style={{ height }} data-on={index < levelRanks[level]} />
        ))}
      </span>
      {level}
    </span>
  )
}

const severityTones: Record<SeverityName, Tone | undefined> = {
  critical: 'danger',
  high: 'warn',
  medium: undefined,
  low: undefined,
}

/** Critical and high stand out. */
export function Severity({ name }: { name: SeverityName }) {
  const tone = severityTones[name]
  if (name === 'critical') return <State tone="danger">critical</State>
  return <span className={tone === undefined ? (name === 'low' ? 'text-ink-3' : '') : `tone-${tone}`}>{name}</span>
}

/** Milliseconds since 1970. */
export type Millis = number

export type AlertTiming = {
  /** A condition must be true for this time before its alert fires. */
  readonly forMs: number
  /** A condition must be false for this time before its alert is resolved. */
  readonly holdMs: number
}

export type AlertLife = {
  readonly state: 'pending' | 'firing' | 'resolved'
  /** Since when every observation was true. Null: the last one was false or had no data. */
  readonly trueSince: Millis | null
  readonly falseSince: Millis | null
  readonly observedAt: Millis
}

/** `isTrue` is null if the data is missing. */
export type AlertObservation = { readonly at: Millis; readonly isTrue: boolean | null }

export type AlertTransition = 'firing' | 'resolved'

/** A life of null: no alert yet. A pending alert whose condition turns false is resolved without a message. */
export type AlertStep = { readonly life: AlertLife | null; readonly transition: AlertTransition | null }

/**
 * Missing data neither fires nor resolves an alert: it interrupts the wait and the hold. An observation that is not newer
 * than the last one changes nothing, so replayed hours write no second message.
 */
export function advanceAlert(life: AlertLife | null, { at, isTrue }: AlertObservation, timing: AlertTiming): AlertStep {
  if (life && at <= life.observedAt) return unchanged(life)
  const open = life?.state === 'resolved' ? null : life
  if (isTrue) return whileTrue(open, at, timing)
  if (!open) return unchanged(life)
  if (isTrue === null) return unchanged({ ...open, trueSince: null, falseSince: null, observedAt: at })
  return whileFalse(open, at, timing)
}

const unchanged = (life: AlertLife | null): AlertStep => ({ life, transition: null })

function whileTrue(open: AlertLife | null, at: Millis, { forMs }: AlertTiming): AlertStep {
  const trueSince = open?.trueSince ?? at
  const times = { trueSince, falseSince: null, observedAt: at }
  if (open?.state === 'firing') return unchanged({ state: 'firing', ...times })
  if (at - trueSince < forMs) return unchanged({ state: 'pending', ...times })
  return { life: { state: 'firing', ...times }, transition: 'firing' }
}

function whileFalse(open: AlertLife, at: Millis, { holdMs }: AlertTiming): AlertStep {
  const falseSince = open.falseSince ?? at
  const times = { trueSince: null, falseSince, observedAt: at }
  if (open.state === 'pending') return unchanged({ state: 'resolved', ...times })
  if (at - falseSince < holdMs) return unchanged({ state: 'firing', ...times })
  return { life: { state: 'resolved', ...times }, transition: 'resolved' }
}

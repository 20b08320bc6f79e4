import { dayMs, hourMs } from '@plimsoll/engine'
import { loadCover, loadHourlyCover } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PeriodHours } from '../queries/focus-quantities.ts'
import type { FocusRequest } from './focus-request.ts'

export type FocusPeriod = PeriodHours & { from: Date; to: Date }

/** The complete hours of the window, by day or hour. The hours of pods are read one by one: their days are not stored. */
export async function listPeriods(
  tx: Db,
  clusterId: string,
  { step, level, from, to }: Pick<FocusRequest, 'step' | 'level' | 'from' | 'to'>,
): Promise<FocusPeriod[]> {
  const isByHour = step === 'hour' || level === 'pod'
  const { days, hours } = await (isByHour ? loadHourlyCover : loadCover)(tx, clusterId, { from, to })
  if (step === 'hour') {
    return hours.map((hour) => ({
      clusterId,
      day: null,
      hours: [hour],
      from: hour,
      to: new Date(hour.getTime() + hourMs),
    }))
  }
  const ofDays = days.map((day) => ({ clusterId, day, hours: [], from: day, to: new Date(day.getTime() + dayMs) }))
  return [...ofDays, ...byDay(clusterId, hours, { from, to })].sort((a, b) => a.from.getTime() - b.from.getTime())
}

function byDay(clusterId: string, hours: readonly Date[], window: { from: Date; to: Date }): FocusPeriod[] {
  const days = new Map<number, Date[]>()
  for (const hour of hours) {
    const day = Math.floor(hour.getTime() / dayMs) * dayMs
    days.set(day, [...(days.get(day) ?? []), hour])
  }
  return [...days].map(([day, ofDay]) => ({
    ...{ clusterId, day: null, hours: ofDay },
    from: new Date(Math.max(day, window.from.getTime())),
    to: new Date(Math.min(day + dayMs, window.to.getTime())),
  }))
}

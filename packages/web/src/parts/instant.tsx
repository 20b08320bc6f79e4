import { momentWithZone, utc } from '../format/time.ts'

/** A point in time in the zone of the viewer; a tooltip shows UTC. */
export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {momentWithZone(at)}
    </time>
  )
}

import { momentWithZone, utc } from '../format/time.ts'

/** When something happened: day, time and zone of the viewer, and UTC on hover. */
export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {momentWithZone(at)}
    </time>
  )
}

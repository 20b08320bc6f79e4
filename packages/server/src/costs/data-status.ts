import type { DataStatus } from '@plimsoll/contract'

/** How much of a window has data. */
export function dataStatus(
  { hours, hoursWithData }: { hours: number; hoursWithData: number },
  { isCollecting }: { isCollecting: boolean },
): DataStatus {
  if (hoursWithData === 0) return isCollecting ? 'collecting' : 'no_data'
  return hoursWithData < hours ? 'partial' : 'complete'
}

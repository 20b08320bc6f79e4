import { dayMs } from '@plimsoll/engine'
import { detailDaysKept } from '../../ingest/index.ts'

/** The first time with hourly data of single resources. */
export const detailStart = (now: Date) => new Date(now.getTime() - detailDaysKept * dayMs)

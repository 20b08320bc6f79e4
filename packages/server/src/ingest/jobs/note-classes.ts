import { noteCloudResourceClasses, type NotedClass, noteNodeClasses } from '../../prices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RatedHour } from '../queries/hours.ts'
import { parseCloudResourceKey } from '@plimsoll/pipeline/prices'

/** The classes of written hours, of nodes and of cloud resources, each in its own table. */
export async function noteClasses(
  tx: Db,
  clusterId: string,
  hours: readonly Pick<RatedHour, 'hour' | 'rateIds'>[],
): Promise<void> {
  const newest = new Map<string, NotedClass>()
  for (const { hour, rateIds } of hours) {
    for (const [classKey, rateId] of rateIds) {
      const known = newest.get(classKey)
      if (!known || known.hour < hour) newest.set(classKey, { classKey, rateId, hour })
    }
  }
  const isCloudResource = ({ classKey }: NotedClass) => parseCloudResourceKey(classKey) !== undefined
  const all = [...newest.values()]
  await noteNodeClasses(
    tx,
    clusterId,
    all.filter((each) => !isCloudResource(each)),
  )
  await noteCloudResourceClasses(tx, clusterId, all.filter(isCloudResource))
}

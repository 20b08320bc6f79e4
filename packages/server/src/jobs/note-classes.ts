import { noteAssetClasses } from '../db/asset-classes.ts'
import type { Db } from '../db/database.ts'
import type { RateIds } from '../db/hours.ts'
import { noteNodeClasses } from '../db/node-classes.ts'
import { parseAssetKey } from '../prices/asset-class.ts'

/** Those of a written hour, of nodes and of assets, each in its own table. */
export async function noteClasses(tx: Db, clusterId: string, rateIds: RateIds, hour: Date): Promise<void> {
  const isAsset = ([classKey]: [string, string]) => parseAssetKey(classKey) !== undefined
  const all = [...rateIds]
  await noteNodeClasses(tx, clusterId, new Map(all.filter((each) => !isAsset(each))), hour)
  await noteAssetClasses(tx, clusterId, new Map(all.filter(isAsset)), hour)
}

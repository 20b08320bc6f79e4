import { sql, type RawBuilder } from 'kysely'

/** Flags of a job that only the replica with the fold state of the cluster takes, while that replica runs. */
export const holderFlags = (clusterId: string): RawBuilder<string[] | null> =>
  sql`(select array[holder] from fold_checkpoint where cluster_id = ${clusterId} and holder is not null)`

import type { ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'

export type OpencostContext = { tx: Db; clusters: readonly ClusterName[]; signal: AbortSignal | undefined }

/** The envelope of every answer. */
export const succeeded = (data: unknown, warnings: readonly string[] = []) => ({
  code: 200,
  status: 'success',
  data,
  ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
})

/** For autocompletion. */
export const matchingNames = (names: Iterable<string>, search: string, limit: number) =>
  [...names]
    .filter((name) => name !== '' && name.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, limit)

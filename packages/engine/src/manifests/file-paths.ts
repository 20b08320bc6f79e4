import type { ManifestTarget } from './object-patch.ts'
import { pathPart } from './safe-text.ts'
import { shortHash } from './short-hash.ts'

/** All files lie in one directory, so that it can be unpacked into any repository. */
const rootDirectory = 'plimsoll'

export const clusterDirectoryOf = (clusterName: string) => `${rootDirectory}/${pathPart(clusterName)}`

/** One directory per cluster and namespace: what belongs to one never touches the other. */
export const directoryOf = (clusterName: string, namespace: string) =>
  `${clusterDirectoryOf(clusterName)}/${namespace === '' ? 'cluster-wide' : pathPart(namespace)}`

export const fileNameOf = ({ kind, name }: Pick<ManifestTarget, 'kind' | 'name'>, ...endings: string[]) =>
  [`${pathPart(kind.toLowerCase())}-${pathPart(name)}`, ...endings].join('.')

/**
 * What stays in force as long as it lies in Git has a name of its own for each selection: a later one lies beside it instead of
 * taking its place, which would undo it.
 */
export const selectionOf = (recommendationIds: readonly string[]) => shortHash(recommendationIds.toSorted().join('\n'))

import type { ManifestTarget } from './object-patch.ts'
import { pathPart } from './safe-text.ts'
import { shortHash } from './short-hash.ts'

/** All files are in one directory, so that the archive can be unpacked into any repository. */
const rootDirectory = 'plimsoll'

export const clusterDirectoryOf = (clusterName: string) => `${rootDirectory}/${pathPart(clusterName)}`

/** One directory per cluster and namespace, so that they never share a file. */
export const directoryOf = (clusterName: string, namespace: string) =>
  `${clusterDirectoryOf(clusterName)}/${namespace === '' ? 'cluster-wide' : pathPart(namespace)}`

export const fileNameOf = ({ kind, name }: Pick<ManifestTarget, 'kind' | 'name'>, ...endings: string[]) =>
  [`${pathPart(kind.toLowerCase())}-${pathPart(name)}`, ...endings].join('.')

/**
 * Files that stay in Git have one name per selection. A later selection must not replace an earlier one, which would
 * revert it.
 */
export const selectionOf = (recommendationIds: readonly string[]) => shortHash(recommendationIds.toSorted().join('\n'))

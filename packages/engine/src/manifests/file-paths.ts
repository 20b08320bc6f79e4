import type { ManifestTarget } from './object-patch.ts'
import { pathPart } from './safe-text.ts'

/** All files lie in one directory, so that it can be unpacked into any repository. */
const rootDirectory = 'plimsoll'

export const clusterDirectoryOf = (clusterName: string) => `${rootDirectory}/${pathPart(clusterName)}`

/** One directory per cluster and namespace: what belongs to one never touches the other. */
export const directoryOf = (clusterName: string, namespace: string) =>
  `${clusterDirectoryOf(clusterName)}/${namespace === '' ? 'cluster-wide' : pathPart(namespace)}`

export const fileNameOf = ({ kind, name }: Pick<ManifestTarget, 'kind' | 'name'>, ending: string) =>
  `${pathPart(kind.toLowerCase())}-${pathPart(name)}.${ending}`

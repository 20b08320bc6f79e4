import { unknownToCharts } from './refusals.ts'
import { originOf } from './gitops-origin.ts'
import { guessPath } from './helm-guess.ts'
import type { LiveContainer, LiveWorkload } from './live-workload.ts'
import type { PathSource } from './manifest-file.ts'
import type { ContainerPatch, ObjectPatch } from './object-patch.ts'
import { refuse, type Refusal } from './skips.ts'
import { leadsIntoList, parseValuesPath, type ValuesPath } from './values-path.ts'

/** The declared path of a container; undefined where there is none. */
export type DeclaredPath = (patch: ObjectPatch, container: LiveContainer) => ValuesPath | undefined

/** Where the values of a release hold the resources of a container. */
export type HelmPlace = {
  readonly at: readonly string[]
  readonly owner: string
  readonly container: string
  readonly changes: ContainerPatch['changes']
  readonly source: Exclude<PathSource, 'none'>
  readonly doubt: string | undefined
}

/**
 * Empty: no path is known, and Flux patches the rendered chart instead. A workload is written completely or not at all.
 */
export function placesOf(patch: ObjectPatch, declared: DeclaredPath): HelmPlace[] | Refusal {
  const { live, target } = patch
  if (!live) return refuse('helm_path_unknown', unknownToCharts, 'kustomize')
  const places: HelmPlace[] = []
  for (const { container, changes } of patch.containers) {
    const found = findPath(patch, live, container, declared)
    if ('code' in found) return originOf(live).flux?.kind === 'HelmRelease' ? [] : found
    const { path: at, source, doubt } = found
    const owner = `${target.kind} ${target.name} ${container.name}`
    places.push({ at, source, doubt, container: container.name, changes, owner })
  }
  return places
}

function findPath(
  patch: ObjectPatch,
  live: LiveWorkload,
  container: LiveContainer,
  declared: DeclaredPath,
): ValuesPath | Refusal {
  const found = declared(patch, container) ?? annotated(live, container) ?? guessPath(live, container)
  return 'path' in found && leadsIntoList(found.path) ? listRefusal(found.path) : found
}

/**
 * `plimsoll.dev/helm-values-path`, optionally followed by the name of the container. An invalid path is never replaced
 * by a guess.
 */
function annotated({ annotations }: LiveWorkload, { name }: LiveContainer): ValuesPath | Refusal | undefined {
  const key = 'plimsoll.dev/helm-values-path'
  const text = annotations[`${key}.${name}`] ?? annotations[key]
  if (text === undefined) return undefined
  const path = parseValuesPath(text)
  if (path) return { path, source: 'declared' }
  const advice = `The annotation ${key} must be a path such as web.resources. Correct the annotation in the chart or its values.`
  return refuse('helm_path_unknown', advice, 'kustomize')
}

const listRefusal = (path: readonly string[]) =>
  refuse(
    'helm_path_in_list',
    `${path.join('.')} cannot be set in a separate values file. Change the entry in your own values by hand, or use the format kustomize.`,
    'kustomize',
  )

const strength = { assumed: -1, guessed: 0, declared: 1, verified: 2 }

/** A claim of a container on a path of its release, in this request or stored for another workload. */
type Claim = { readonly owner: string; readonly source: HelmPlace['source'] }

/** Claims on paths of one release. A path with two owners would give one of them the value of the other. */
export class PathClaims {
  readonly #claims = new Map<string, Claim[]>()

  add({ at, owner, source }: Pick<HelmPlace, 'at' | 'owner' | 'source'>): void {
    const key = at.join('\n')
    this.#claims.set(key, [...(this.#claims.get(key) ?? []), { owner, source }])
  }

  /** Undefined: the path belongs to this container alone, or by better evidence than to the others. */
  refusalFor(places: readonly HelmPlace[]): Refusal | undefined {
    for (const { at, owner, source } of places) {
      const others = (this.#claims.get(at.join('\n')) ?? []).filter((claim) => claim.owner !== owner)
      const rival = others.find((claim) => strength[claim.source] >= strength[source])
      if (rival) return sharedRefusal(at, rival.owner)
    }
    return undefined
  }
}

const sharedRefusal = (at: readonly string[], owner: string) =>
  refuse(
    'helm_path_shared',
    `${at.join('.')} is also the values path of ${owner}. Store and verify the path of each container with PUT /api/v1/gitops/helm-paths, or use the format kustomize.`,
    'kustomize',
  )

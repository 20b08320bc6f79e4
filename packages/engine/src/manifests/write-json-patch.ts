import {
  templatePathOf,
  type ContainerPatch,
  type FieldPatch,
  type ManifestTarget,
  type ObjectPatch,
  type ResourceSection,
} from './object-patch.ts'
import { pointerOf } from './pointers.ts'

export type JsonPatchOperation =
  | { readonly op: 'test' | 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/**
 * RFC 6902. List positions are valid only for the observed object, so a test of the name precedes each use: a patch
 * that does not fit changes nothing. Values are not tested, because Git may have `2000m` where the cluster has `2`.
 */
export function writeJsonPatch(patch: ObjectPatch): JsonPatchOperation[] {
  return [
    test(['kind'], patch.target.kind),
    nameTest(patch.target),
    ...patch.containers.flatMap((each) => containerOperations(patch, each)),
    ...patch.fields.flatMap(fieldOperations),
  ]
}

type Path = readonly (string | number)[]

const test = (path: Path, value: string): JsonPatchOperation => ({ op: 'test', path: pointerOf(path), value })
const add = (path: Path, value: unknown): JsonPatchOperation => ({ op: 'add', path: pointerOf(path), value })

/** Fails for an object of another name. */
export const nameTest = ({ name }: Pick<ManifestTarget, 'name'>) => test(['metadata', 'name'], name)

function containerOperations(patch: ObjectPatch, { container, changes }: ContainerPatch): JsonPatchOperation[] {
  const { list, index, name, requestKeys, limitKeys, hasClaims } = container
  const at = [...(templatePathOf(patch.target) ?? []), list, index]
  const guards = name === '' ? [] : [test([...at, 'name'], name)]
  const isEmpty = requestKeys.length === 0 && limitKeys.length === 0 && !hasClaims
  // An existing `resources` is never replaced as a whole, because that would delete GPUs and ephemeral storage.
  if (isEmpty) return [...guards, add([...at, 'resources'], addedResources(changes))]
  const sections = (['requests', 'limits'] as const).flatMap((section) =>
    sectionOperations(
      [...at, 'resources', section],
      section === 'requests' ? requestKeys : limitKeys,
      changes,
      section,
    ),
  )
  return [...guards, ...sections]
}

function sectionOperations(
  at: Path,
  keys: readonly string[],
  changes: ContainerPatch['changes'],
  section: ResourceSection,
): JsonPatchOperation[] {
  const own = changes.filter((change) => change.section === section)
  if (own.length === 0) return []
  if (keys.length === 0) return [add(at, valuesOf(own))]
  return own.flatMap(({ resource, to }) => (to === null ? remove([...at, resource]) : [add([...at, resource], to)]))
}

/** Removing a missing field is an error, so the field is added first. */
const remove = (path: Path): JsonPatchOperation[] => [add(path, '0'), { op: 'remove', path: pointerOf(path) }]

const valuesOf = (changes: ContainerPatch['changes']) =>
  Object.fromEntries(changes.map(({ resource, to }) => [resource, to]))

/** A container without resources has nothing to remove. */
export function addedResources(changes: ContainerPatch['changes']): Record<string, Record<string, string | null>> {
  const sections = (['requests', 'limits'] as const).map((section) => {
    return [section, valuesOf(changes.filter((change) => change.section === section))] as const
  })
  return Object.fromEntries(sections.filter(([, values]) => Object.keys(values).length > 0))
}

const fieldOperations = ({ path, to, guards }: FieldPatch): JsonPatchOperation[] => [
  ...guards.map((guard) => test(guard.path, guard.value)),
  add(path, to),
]

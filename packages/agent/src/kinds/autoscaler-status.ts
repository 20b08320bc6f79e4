import type { ObjectSpec } from '@plimsoll/contract'
import type { Metadata } from './kube-types.ts'
import type { ObjectFacts } from './objects.ts'

type Group = ObjectSpec<'cluster_autoscaler'>['groups'][number]
type ConfigMap = { metadata?: Metadata; data?: { status?: string } }

const GROUPS_MAX = 1000

/** Reads the ConfigMap `kube-system/cluster-autoscaler-status`, which managed cluster-autoscalers write too. */
export function autoscalerStatusFacts({ metadata = {}, data = {} }: ConfigMap): ObjectFacts | undefined {
  const { uid, name, namespace = '' } = metadata
  if (uid === undefined || name === undefined) return undefined
  return { uid, name, namespace, kind: 'cluster_autoscaler', spec: { groups: parseGroups(data.status ?? '') } }
}

/**
 * Reads the node groups of a status: YAML since version 1.30, plain text before. In YAML each group is a list item with
 * `name`, `minSize` and `maxSize` in any order. In plain text each group begins with `Name:`.
 */
export function parseGroups(status: string): Group[] {
  const lines = status.split('\n')
  const start = lines.findIndex((line) => line.toLowerCase().startsWith('nodegroups:'))
  if (start < 0) return []
  const isYaml = lines[start]?.startsWith('nodeGroups:') === true
  const drafts: Partial<Group>[] = []
  for (const line of lines.slice(start + 1)) {
    if (isYaml && line !== '' && !line.startsWith(' ') && !line.startsWith('-')) break
    if (isYaml ? line.trimStart().startsWith('- ') : line.trimStart().startsWith('Name:')) drafts.push({})
    const draft = drafts.at(-1)
    if (draft) Object.assign(draft, isYaml ? readYamlLine(line) : readTextLine(line))
  }
  return drafts
    .slice(0, GROUPS_MAX)
    .flatMap(({ name, nodes_min, nodes_max }) =>
      name === undefined || nodes_min === undefined || nodes_max === undefined ? [] : [{ name, nodes_min, nodes_max }],
    )
}

function readYamlLine(line: string): Partial<Group> {
  const text = line.trim().replace(/^- /, '').trimStart()
  const colon = text.indexOf(': ')
  if (colon < 0) return {}
  const value = text
    .slice(colon + 2)
    .trim()
    .replace(/^["']|["']$/g, '')
  switch (text.slice(0, colon)) {
    case 'name':
      return { name: value }
    case 'minSize':
      return wholeOf('nodes_min', value)
    case 'maxSize':
      return wholeOf('nodes_max', value)
    default:
      return {}
  }
}

/** `Health: Healthy (ready=3 … cloudProviderTarget=3 (minSize=1, maxSize=5))` */
function readTextLine(line: string): Partial<Group> {
  const text = line.trim()
  if (text.startsWith('Name:')) return { name: text.slice('Name:'.length).trim() }
  return { ...wholeOf('nodes_min', after(text, 'minSize=')), ...wholeOf('nodes_max', after(text, 'maxSize=')) }
}

function after(text: string, key: string): string {
  const at = text.indexOf(key)
  return at < 0 ? '' : (/^\d+/.exec(text.slice(at + key.length))?.[0] ?? '')
}

const wholeOf = (field: 'nodes_min' | 'nodes_max', value: string): Partial<Group> =>
  /^\d{1,9}$/.test(value) ? { [field]: Number(value) } : {}

import type { Recommendation } from '@plimsoll/contract'
import { cpuQuantity, quantity, withUnits } from '../format/quantity.ts'
import { capital, kindName } from '../format/labels.ts'
import { Icon } from './icon.tsx'

const shortPaths: Record<string, string> = {
  'resources.requests.cpu': 'CPU',
  'resources.requests.memory': 'memory',
  'resources.limits.cpu': 'CPU limit',
  'resources.limits.memory': 'memory limit',
  'spec.replicas': 'replicas',
  'spec.resources.requests.storage': 'size',
}

const names: Record<string, string> = {
  'resources.limits.cpu': 'CPU limit',
  'resources.limits.memory': 'Memory limit',
  'spec.replicas': 'Replicas',
  'spec.resources.requests.storage': 'Size',
}

/** As a heading. */
export const fieldName = (path: string) => names[path] ?? capital(words(path.split('.').at(-1) ?? path))

/** `instance_types` and `instanceTypes` read "instance types". */
const words = (name: string) =>
  name.replaceAll('_', ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** CPU without a unit is in cores. */
export const fieldValue = (path: string, value: string | number | boolean | null) =>
  path.endsWith('.cpu') ? cpuQuantity(value) : quantity(value)

/** The change in one line: CPU 4 → 2.2. Without two values, the title without its reason. */
export function ChangeText({ of: { change, title } }: { of: Pick<Recommendation, 'change' | 'title'> }) {
  const fields = change.fields.filter(({ from, to }) => from !== null && to !== null)
  const { kind, name } = change.object
  if (fields.length === 0) {
    const [what = title] = title.split(': ', 1)
    return <span className="text-ink-2">{withUnits(what.replaceAll(name, shortName(name, kind)))}</span>
  }
  return (
    <span className="change-words">
      {fields.map(({ path, from, to }) => (
        <span key={path} className="inline-flex items-center gap-1 text-ink-2 mid:whitespace-nowrap">
          {shortPaths[path] ?? path.split('.').at(-1)} {fieldValue(path, from)}
          <span className="text-ink-3">
            <Icon name="arrow" />
          </span>
          <b>{fieldValue(path, to)}</b>
        </span>
      ))}
    </span>
  )
}

type Named = Pick<Recommendation, 'namespace' | 'workload' | 'change' | 'volume_claim'>

/** Names come from clusters: text, never markup. */
export function targetName({ namespace, workload, change, volume_claim: claim }: Named): {
  main: string
  detail: string
} {
  const { object } = change
  if (claim !== null) return { main: claim, detail: shortName(object.name, object.kind) }
  if (object.kind === 'ControlPlane') return { main: kindName(object.kind), detail: '' }
  if (object.kind === 'NodePool') return { main: `${kindName(object.kind)} ${object.name}`, detail: '' }
  const name = workload?.name ?? object.name
  const isPlace = object.kind === 'Namespace' || namespace === '' || namespace === name
  const detail = workload?.container ?? kindName(object.kind)
  return { main: isPlace ? shortName(name, object.kind) : `${namespace}/${name}`, detail }
}

/** A node is shown by its host name, a generated volume name by its beginning. */
export function shortName(name: string, kind: string): string {
  if (kind === 'Node') return name.split('.')[0] ?? name
  return /^pvc-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name) ? `${name.slice(0, 12)}…` : name
}

import type { Change, ContainerSpec } from '../rules/finding.ts'
import type { ResourceChange, ResourceSection } from './object-patch.ts'
import { canonicalQuantity, formatSize } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'

export type Advice = {
  readonly change: Change
  readonly current: ContainerSpec | null
  readonly recommended: ContainerSpec | null
}

const resourcePath = /^resources\.(requests|limits)\.(.+)$/
const resourceName = /^[a-z0-9]([-a-z0-9._/]{0,200}[A-Za-z0-9])?$/

/** The container quantities that the recommendation sets; undefined: it sets none. */
export function containerChangesOf(advice: Advice): readonly ResourceChange[] | Refusal | undefined {
  if (advice.change.object.container === '') return undefined
  const { fields } = advice.change
  if (fields.length === 0) return specChanges(advice)
  const changes: ResourceChange[] = []
  for (const { path, to } of fields) {
    const [, section, resource = ''] = resourcePath.exec(path) ?? []
    if (section === undefined) return undefined
    const quantity = to === null ? null : canonicalQuantity(resource, to)
    if (!resourceName.test(resource) || quantity === undefined) {
      return refuse(
        'invalid_quantity',
        `The recommendation sets ${path} to ${JSON.stringify(to)}. Choose a value and set it by hand.`,
      )
    }
    changes.push({ section: section as ResourceSection, resource, to: quantity })
  }
  return changes
}

/** For a recommendation that only names the size of the container. */
function specChanges({ current, recommended }: Advice): ResourceChange[] | undefined {
  if (recommended === null) return undefined
  const change = (resource: 'cpu' | 'memory', from: number | null | undefined, to: number | null): ResourceChange[] =>
    to === null || to === from ? [] : [{ section: 'requests', resource, to: formatSize(resource, to) }]
  return [
    ...change('cpu', current?.cpuMillicores, recommended.cpuMillicores),
    ...change('memory', current?.memoryKib, recommended.memoryKib),
  ]
}

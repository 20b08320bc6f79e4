import { ownerName } from '../../format/labels.ts'
import { OwnerLink } from '../../parts/owner-link.tsx'
import type { OwnerKind } from '../../url-parameters.ts'
import type { Line } from './explorer-lines.ts'

/** The kind of owner with a page, by dimension. */
const ownerKinds: Record<string, OwnerKind> = {
  namespace: 'namespaces',
  workload: 'workloads',
  team: 'teams',
  node: 'nodes',
}

/** Namespaces, workloads, teams and nodes have a page. */
export function OwnerName({
  line: { name, word, by, isOwned },
  clusterId,
}: {
  line: Pick<Line, 'name' | 'word' | 'by' | 'isOwned'>
  clusterId?: string | undefined
}) {
  if (!isOwned) return <span className="text-ink-2">{word}</span>
  const shown = (
    <span className="main block max-w-[22ch] truncate @min-[600px]:max-w-[34ch]" title={ownerName(name)}>
      {word}
    </span>
  )
  const kind = ownerKinds[by]
  return kind === undefined || name.startsWith('__') ? (
    shown
  ) : (
    <OwnerLink kind={kind} name={name} cluster={clusterId} keepsPeriod>
      {shown}
    </OwnerLink>
  )
}

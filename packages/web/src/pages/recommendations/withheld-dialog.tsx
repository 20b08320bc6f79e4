import type { WithheldAdvice } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { withheldQuery } from '../../api/queries.ts'
import { ruleName } from '../../format/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { QueryState } from '../../parts/states.tsx'

type Props = { clusterId: string | undefined; nameOf: (clusterId: string) => string; onClose: () => void }

/** No advice rather than a guess: about what, why, and what would change that. */
export function WithheldDialog({ clusterId, nameOf, onClose }: Props) {
  const withheld = useQuery(withheldQuery(clusterId))
  return (
    <Dialog title="Withheld advice" onClose={onClose}>
      <QueryState query={withheld} what="What is withheld">
        {({ withheld: rows, has_more: hasMore }) => (
          <ul>
            {rows.length === 0 && <li className="text-ink-3">Nothing is withheld.</li>}
            {rows.map((row) => (
              <li key={`${row.cluster_id} ${row.rule_id} ${nameOfObject(row)}`} className="border-b border-rule py-2">
                <p>
                  <b className="font-medium">{nameOfObject(row)}</b>{' '}
                  <span className="text-ink-3">{nameOf(row.cluster_id)}</span>
                </p>
                <p className="text-sm text-ink-2">
                  {row.detail} {row.unlock}
                </p>
              </li>
            ))}
            {hasMore && <li className="py-2 text-ink-3">and more</li>}
          </ul>
        )}
      </QueryState>
      <button type="button" className="button mt-4" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

function nameOfObject({ object, rule_id: ruleId }: WithheldAdvice): string {
  if (object === null) return ruleName(ruleId)
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`
}

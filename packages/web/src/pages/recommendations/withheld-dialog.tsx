import type { WithheldAdvice, WithheldList } from '@plimsoll/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countAll } from '../../api/count-all.ts'
import { rulesQuery, withheldQuery } from '../../api/queries.ts'
import { count, number, withUnits } from '../../format/quantity.ts'
import { reasonLabels } from '../../format/withheld-labels.ts'
import { capital, plainName } from '../../format/labels.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useDebounced } from '../../parts/use-debounced.ts'
import { QueryState } from '../../parts/states.tsx'
import { nothingWords, reasonChoices, withheldName } from './withheld-narrowed.ts'

type Props = { clusterId: string | undefined; nameOf: (clusterId: string) => string; onClose: () => void }

/** The withheld recommendations: object, reason and what is needed. */
export function WithheldDialog({ clusterId, nameOf, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [text, setText] = useState('')
  const filters = { reason, text: useDebounced(text.trim()) }
  const withheld = useInfiniteQuery(withheldQuery(clusterId, filters))
  const { hasNextPage, fetchNextPage, isPlaceholderData } = withheld
  return (
    <Dialog title="Withheld recommendations" onClose={onClose} shape="list">
      <QueryState query={withheld} what="The list of withheld recommendations">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.withheld)
          const counts = reasonChoices(pages[0]?.counts ?? null, reason)
          const total = countAll(counts.filter((each) => reason === '' || each.reason === reason))
          return (
            <>
              <Narrow counts={counts} reason={reason} text={text} onReason={setReason} onText={setText} />
              <p className="text-sm text-ink-3" role="status">
                {isPlaceholderData ? 'Searching …' : total === 0 ? nothingWords(filters) : count(total, 'row')}
              </p>
              <Rows rows={rows} nameOf={nameOf} />
              {hasNextPage && (
                <p className="mt-2 text-sm text-ink-3">
                  The first {number(rows.length)}.{' '}
                  <button type="button" className="link" onClick={() => void fetchNextPage()}>
                    Show more
                  </button>
                </p>
              )}
            </>
          )
        }}
      </QueryState>
      <button type="button" className="button mt-3 shrink-0 self-start" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

type NarrowProps = {
  counts: NonNullable<WithheldList['counts']>
  reason: string
  text: string
  onReason: (reason: string) => void
  onText: (text: string) => void
}

function Narrow({ counts, reason, text, onReason, onText }: NarrowProps) {
  return (
    <div className="mb-2 flex flex-wrap gap-2">
      <select className="input" aria-label="Reason" value={reason} onChange={(event) => onReason(event.target.value)}>
        <option value="">All reasons, {number(countAll(counts))}</option>
        {counts.map((each) => (
          <option key={each.reason} value={each.reason}>
            {capital(reasonLabels(each.reason))}, {number(each.count)}
          </option>
        ))}
      </select>
      <input
        className="input grow"
        type="search"
        aria-label="Filter by text"
        placeholder="Name, cluster or reason"
        maxLength={200}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  )
}

const keyOf = ({ cluster_id: cluster, rule_id: rule, object }: WithheldAdvice) =>
  [cluster, rule, object?.kind, object?.namespace, object?.name, object?.container].join(' ')

function Rows({ rows, nameOf }: { rows: readonly WithheldAdvice[]; nameOf: Props['nameOf'] }) {
  const { data } = useQuery(rulesQuery)
  const ruleOf = (ruleId: string) => data?.rules.find(({ id }) => id === ruleId)
  const titleOf = (ruleId: string) => ruleOf(ruleId)?.title
  return (
    // The list scrolls, so the close button stays visible; keyboard scrolling needs a focusable element.
    <ul className="dialog-body" tabIndex={0} aria-label="Withheld recommendations">
      {rows.map((row) => (
        <li key={keyOf(row)} className="border-b border-rule py-2">
          <p>
            <b className="font-medium">{withheldName(row, titleOf)}</b>{' '}
            <span className="text-ink-3">
              {nameOf(row.cluster_id)}
              {row.object !== null && ` · ${titleOf(row.rule_id) ?? plainName(row.rule_id)}`} ·{' '}
              {reasonLabels(row.reason)}
            </span>
          </p>
          <p className="text-sm text-ink-2">
            {withUnits(row.detail)} {withUnits(row.unlock)}
          </p>
        </li>
      ))}
    </ul>
  )
}

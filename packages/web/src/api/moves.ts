import type { BatchResult, MovedRecommendation, Preview } from '@plimsoll/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { count } from '../format/quantity.ts'
import { useSettled } from '../parts/settled.ts'
import { useToast } from '../parts/toast.tsx'
import { postJson } from './client.ts'

export type BatchMove = 'approve' | 'reject' | 'apply'

const path = (id: string, action: string) => `/api/v1/recommendations/${encodeURIComponent(id)}/${action}`

const reopenOne = (id: string) => postJson<MovedRecommendation>(path(id, 'reopen'), undefined)
const snoozeOne = (id: string, until: string) => postJson<MovedRecommendation>(path(id, 'snooze'), { until })

const idsMax = 500

/** As many calls as it takes; the API takes 500 at once. */
async function moveMany(action: BatchMove, ids: readonly string[], reason?: string): Promise<BatchResult['results']> {
  const results: BatchResult['results'] = []
  for (let from = 0; from < ids.length; from += idsMax) {
    const body = { action, ids: ids.slice(from, from + idsMax), ...(reason === undefined ? {} : { reason }) }
    results.push(...(await postJson<BatchResult>('/api/v1/recommendations/batch', body)).results)
  }
  return results
}

const done: Record<BatchMove, string> = { approve: 'approved', reject: 'rejected', apply: 'marked as implemented' }
/** What people look for next. */
const next: Partial<Record<BatchMove, string>> = {
  approve: 'Take the manifest into Git next.',
  apply: 'The next days show whether it worked.',
}

export type BatchAsked = { action: BatchMove; ids: readonly string[]; reason?: string }

/** What can be taken back is offered for as long as the toast is there; what did not work is said, with its reason. */
export function useBatch(onDone: () => void) {
  const toast = useToast()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ action, ids, reason }: BatchAsked) => moveMany(action, ids, reason),
    onSuccess: async (results, { action }) => {
      const changed = results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id)
      const failed = results.filter(({ outcome }) => outcome === 'conflict' || outcome === 'not_found')
      const text = [
        ...(changed.length > 0
          ? [`${count(changed.length, 'recommendation')} ${done[action]}.`, next[action] ?? '']
          : []),
        ...(failed.length > 0 ? [`${failed.length} not: ${failed[0]?.detail ?? 'somebody was faster.'}`] : []),
      ].join(' ')
      // Only a rejection can be reopened, and an approval can be turned into one first.
      const undo = { approve: unapprove, reject: reopen, apply: undefined }[action]
      const canUndo = undo !== undefined && changed.length > 0 && changed.length <= undoMax
      const takeBack = () =>
        undo?.(changed)
          .catch(() => toast({ text: 'Not everything could be taken back: look at those that are left.' }))
          .then(refresh)
      toast({ text, ...(canUndo ? { undo: () => void takeBack() } : {}) })
      onDone()
      await refresh()
    },
    onError: (error) => toast({ text: error.message }),
  })
}

/** Moves that are made one by one. Somebody else may have been faster: what they did is shown, and said. */
export function useMoveOne(id: string) {
  const toast = useToast()
  const refresh = useRefresh()
  const run = async (move: () => Promise<MovedRecommendation>) => {
    try {
      await move()
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'That did not work.' })
    }
    await refresh()
  }
  return {
    reopen: () => void run(() => reopenOne(id)),
    snooze: (until: string) => void run(() => snoozeOne(id, until)),
  }
}

function useRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [what] }) => movedKeys.has(String(what)) })
}

const movedKeys = new Set(['recommendations', 'recommendation', 'overview', 'savings', 'clusters'])

async function reopen(ids: readonly string[]): Promise<void> {
  for (const id of ids) await reopenOne(id)
}

async function unapprove(ids: readonly string[]): Promise<void> {
  await moveMany('reject', ids, 'approval taken back')
  await reopen(ids)
}

/** Beyond it nothing can be taken back at once: reopening is one call each, and a minute has a hundred. */
const undoMax = 40

/** Whoever ticks several boxes asks once. */
const settledMs = 400

/** Undefined while it is worked out: what an earlier selection would save says nothing of this one. */
export function usePreview(ids: readonly string[]): { preview: Preview | undefined; hasFailed: boolean } {
  const asked = ids.slice(0, idsMax).join(',')
  const settled = useSettled(asked, settledMs, '')
  const { data, isError } = useQuery({
    queryKey: ['preview', settled],
    queryFn: () => postJson<Preview>('/api/v1/recommendations/preview', { ids: settled.split(',') }),
    enabled: settled !== '',
    staleTime: 60_000,
  })
  const isOfThese = settled === asked
  return { preview: isOfThese ? data : undefined, hasFailed: isOfThese && isError }
}

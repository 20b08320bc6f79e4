import type { BatchAction, BatchResult, MovedRecommendation, Preview, StepAction } from '@plimsoll/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { count } from '../format/quantity.ts'
import { copiedWords, runnableOf } from '../format/runnable.ts'
import { useDebounced } from './use-debounced.ts'
import { download } from './download.ts'
import { useToast, type Toast } from './toast.tsx'
import { api } from '../api/client.ts'
import { archiveOf, manifestsQuery, type ManifestSource } from '../api/manifests.ts'

const reopenOne = (id: string) => api.reopenRecommendation({ params: { id } })
const withdrawOne = (id: string) => api.withdrawRecommendation({ params: { id } })
const snoozeOne = (id: string, until: string) => api.snoozeRecommendation({ params: { id }, body: { until } })

const idsMax = 500

/** The API accepts 500 ids per request, so larger selections need several requests. */
async function moveMany(action: BatchAction, ids: readonly string[], reason?: string): Promise<BatchResult['results']> {
  const results: BatchResult['results'] = []
  for (let from = 0; from < ids.length; from += idsMax) {
    const body = { action, ids: ids.slice(from, from + idsMax), ...(reason === undefined ? {} : { reason }) }
    results.push(...(await api.moveRecommendations({ body })).results)
  }
  return results
}

const done: Record<BatchAction, string> = { approve: 'approved', reject: 'rejected', apply: 'marked as implemented' }
const verified = 'The next agent reports verify the change.'

export type BatchAsked = { action: BatchAction; ids: readonly string[]; reason?: string }

/** The toast offers Undo where possible, and names the reason of a failure. */
export function useBatch(onDone: () => void) {
  const toast = useToast()
  const refresh = useRefresh()
  const findRunnable = useRunnable()
  return useMutation({
    mutationFn: ({ action, ids, reason }: BatchAsked) => moveMany(action, ids, reason),
    onSuccess: async (results, { action }) => {
      const changed = results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id)
      const failed = results.filter(({ outcome }) => outcome === 'conflict' || outcome === 'not_found')
      onDone()
      const refreshed = refresh()
      const { next, actions } = action === 'approve' ? await findRunnable({ ids: changed }) : noRunnable
      const text = [
        ...(changed.length > 0
          ? [`${count(changed.length, 'recommendation')} ${done[action]}.`, action === 'apply' ? verified : next]
          : []),
        ...(failed.length > 0
          ? [`${failed.length} failed: ${failed[0]?.detail ?? 'Another user changed the recommendation first.'}`]
          : []),
      ].join(' ')
      // After the undo of `apply` the recommendation is approved, as long as nothing was observed.
      const undo = { approve: withdraw, reject: reopen, apply: withdraw }[action]
      const canUndo = changed.length > 0 && changed.length <= undoMax
      const takeBack = () =>
        undo(changed)
          .catch(() => toast({ text: 'Undo failed for some recommendations. Check their status.' }))
          .then(refresh)
      toast({ text, actions, ...(canUndo ? { undo: () => void takeBack() } : {}) })
      await refreshed
    },
    onError: (error) => toast({ text: error.message }),
  })
}

/** The format that works for most workloads; the page offers the others. */
const format = 'kustomize'

type Offer = { next: string; actions: NonNullable<Toast['actions']> }

const noRunnable: Offer = { next: '', actions: [] }

/** What the toast offers after an approval: only what the service rendered. */
function useRunnable(): (source: ManifestSource) => Promise<Offer> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (source) => {
    const { ids } = source
    const [only] = ids
    if (only === undefined) return noRunnable
    const result = await queries.fetchQuery(manifestsQuery(source, format)).catch(() => null)
    if (!result) return noRunnable
    const { next, hasManifest, script } = runnableOf(result)
    const open = () => void navigate({ to: '/recommendations/$id', params: { id: only } })
    const save = () => void archiveOf(source, format).then((bytes) => download(`plimsoll-${format}.tar.gz`, bytes))
    return {
      next,
      actions: [
        ...(hasManifest && ids.length === 1 ? [{ label: 'Open manifest', run: open }] : []),
        ...(hasManifest && ids.length > 1 ? [{ label: 'Download manifests', run: save }] : []),
        ...(script === null
          ? []
          : [{ label: 'Copy commands', run: () => void navigator.clipboard?.writeText(script) }]),
      ],
    }
  }
}

/**
 * Copies the commands of recommendations, in the same form as the toast after an approval. `of`: the number of open
 * recommendations, which can be larger than one request accepts.
 */
export function useCopyCommands(): (source: ManifestSource, of: number) => Promise<void> {
  const queries = useQueryClient()
  const toast = useToast()
  return async (source, of) => {
    try {
      const { script } = runnableOf(await queries.fetchQuery(manifestsQuery(source, format)))
      if (script === null) return toast({ text: 'No commands exist for this step.' })
      await navigator.clipboard.writeText(script)
      toast({ text: copiedWords(source.ids.length, of) })
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'The commands could not be copied.' })
    }
  }
}

/** Single actions. On a conflict, the change of the other user is shown. */
export function useMoveOne(id: string) {
  const toast = useToast()
  const refresh = useRefresh()
  const run = async (move: () => Promise<MovedRecommendation>) => {
    try {
      await move()
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'The action failed.' })
    }
    await refresh()
  }
  return {
    reopen: () => void run(() => reopenOne(id)),
    withdraw: () => void run(() => withdrawOne(id)),
    snooze: (until: string) => void run(() => snoozeOne(id, until)),
  }
}

export type StepMove = { clusterId: string; stepId: string; action: StepAction; reason?: string }

const stepOperations = { approve: 'approvePlanStep', reject: 'rejectPlanStep', withdraw: 'withdrawPlanStep' } as const
const stepDone: Record<StepAction, string> = { approve: 'approved', reject: 'rejected', withdraw: 'open again' }

/** Decides on all recommendations of a step. The toast offers to withdraw an approval. */
export function useMoveStep() {
  const toast = useToast()
  const refresh = useRefresh()
  const findRunnable = useRunnable()
  const move = ({ clusterId, stepId, action, reason }: StepMove) =>
    api[stepOperations[action]]({
      params: { cluster_id: clusterId, step_id: stepId },
      ...(reason === undefined ? {} : { body: { reason } }),
    })
  const mutation = useMutation({
    mutationFn: move,
    onSuccess: async ({ summary, results }, request) => {
      const isApproved = request.action === 'approve' && summary.changed > 0
      const changed = results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id)
      const refreshed = refresh()
      const { clusterId, stepId } = request
      const step = { clusterId, stepId }
      const { next, actions } = isApproved ? await findRunnable({ ids: changed, step }) : noRunnable
      const text = [
        `${count(summary.changed, 'recommendation')} ${stepDone[request.action]}.`,
        next,
        ...(summary.failed > 0 ? [`${summary.failed} failed.`] : []),
      ].join(' ')
      const undo = () => mutation.mutate({ ...request, action: 'withdraw' })
      toast({ text, actions, ...(isApproved ? { undo } : {}) })
      await refreshed
    },
    onError: (error) => toast({ text: error.message }),
  })
  return mutation
}

function useRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [what] }) => movedKeys.has(String(what)) })
}

const movedKeys = new Set(['recommendations', 'recommendation', 'overview', 'savings', 'clusters', 'plan'])

async function reopen(ids: readonly string[]): Promise<void> {
  for (const id of ids) await reopenOne(id)
}

async function withdraw(ids: readonly string[]): Promise<void> {
  for (const id of ids) await withdrawOne(id)
}

/** Larger selections have no Undo: taking back needs one request each, and the rate limit is 100 per minute. */
const undoMax = 40

/** Several quick selections cause one request. */
const settledMs = 400

/** Undefined while loading; the savings of an earlier selection do not apply. */
export function usePreview(ids: readonly string[]): { preview: Preview | undefined; hasFailed: boolean } {
  const request = ids.slice(0, idsMax).join(',')
  const settled = useDebounced(request, settledMs, '')
  const { data, isError } = useQuery({
    queryKey: ['preview', settled],
    queryFn: () => api.previewSavings({ body: { ids: settled.split(',') } }),
    enabled: settled !== '',
    staleTime: 60_000,
  })
  const isOfThese = settled === request
  return { preview: isOfThese ? data : undefined, hasFailed: isOfThese && isError }
}

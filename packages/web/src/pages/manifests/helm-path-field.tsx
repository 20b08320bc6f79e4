import type { HelmPath, ManifestResult } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { helmPathQuery, putHelmPath, type ChartedContainer } from '../../api/helm-paths.ts'
import { useTurns } from '../../api/in-turn.ts'
import { useMay } from '../../api/session.ts'
import { TextField } from '../../parts/controls.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

type Props = { of: ChartedContainer; result: ManifestResult }

/** A chart does not declare where its values hold the resources, so the user can enter the path. */
export function HelmPathField({ of, result: { files, skipped } }: Props) {
  const may = useMay()
  const queries = useQueryClient()
  const [isSaid, setSaid] = useState(false)
  const inTurn = useTurns()
  const [failure, run] = useFailure()
  const stored = useQuery(helmPathQuery(of))
  const { queryKey } = helmPathQuery(of)
  const put = async (wanted: string | null) => {
    // A running request may return an older value than the saved one.
    await queries.cancelQueries({ queryKey })
    const set = await putHelmPath(of, queries.getQueryData(queryKey) ?? null, wanted)
    queries.setQueryData(queryKey, wanted === null ? null : set)
  }
  // Reloaded after a conflict too: the path of the other user is shown and used in the file.
  const lookAgain = async () => {
    await queries.invalidateQueries({ queryKey: ['helm-path'] })
    await queries.invalidateQueries({ queryKey: ['manifests'] })
  }
  const save = (wanted: string | null) => inTurn(() => run(() => put(wanted)), lookAgain)
  const source = files.find(({ path_source: each }) => each !== null)?.path_source ?? null
  const isCharted = source !== null || skipped.some(({ code }) => code.startsWith('helm_'))
  if (!may('recommendations:write') || !(isCharted || skipped.some(({ code }) => code === 'not_helm'))) return null
  if (!isCharted && !isSaid) {
    return (
      <button type="button" className="button justify-self-start" onClick={() => setSaid(true)}>
        Managed by a Helm chart
      </button>
    )
  }
  return (
    <QueryState query={stored} what="The Helm path">
      {(known) => (
        <div className="grid gap-2">
          <PathForm container={of.container} known={known} source={source} onSave={save} />
          {failure}
        </div>
      )}
    </QueryState>
  )
}

type Source = ManifestResult['files'][number]['path_source']

const hints: Record<Exclude<Source, null>, string> = {
  verified: 'Verified by rendering the chart.',
  declared: 'Entered by a user; not verified.',
  guessed: 'The path in the file above is guessed. Check it, and enter the correct path if it differs.',
  assumed:
    'The path in the file above is a default, because no label names a chart. Enter the path that your chart uses.',
  none: 'Without a path, the file patches the rendered workload.',
}

type FormProps = {
  container: string
  known: HelmPath | null
  source: Source
  onSave: (path: string | null) => Promise<unknown>
}

function PathForm({ container, known, source, onSave }: FormProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const path = typed ?? known?.values_path ?? ''
  // After the save the stored path is shown, unless the user has typed another one meanwhile.
  const saveTyped = async (wanted: string | null) => {
    await onSave(wanted)
    setTyped((now) => (now === typed ? null : now))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void saveTyped(path.trim())
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <TextField
        label={`Path of the resources of ${container} in the chart values`}
        hint={source === null ? 'No path entered.' : hints[source]}
        className="w-full max-w-[360px]"
        required
        maxLength={500}
        placeholder="web.resources"
        value={path}
        onChange={setTyped}
      />
      <button className="button mb-5 h-8">Save for this workload</button>
      {known !== null && (
        <button type="button" className="button button-quiet mb-5 h-8" onClick={() => void saveTyped(null)}>
          Remove path
        </button>
      )}
    </form>
  )
}

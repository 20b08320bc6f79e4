import type { HelmPath, ManifestResult } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { helmPathQuery, putHelmPath, type ChartedContainer } from '../../api/helm-paths.ts'
import { useTurns } from '../../api/in-turn.ts'
import { useMay } from '../../api/session.ts'
import { TextField } from '../../parts/controls.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

type Props = { of: ChartedContainer; result: ManifestResult }

/** A chart cannot be asked where its containers take their resources from; whoever knows the chart can say so once. */
export function HelmPathField({ of, result: { files, skipped } }: Props) {
  const may = useMay()
  const queries = useQueryClient()
  const [isSaid, setSaid] = useState(false)
  const inTurn = useTurns()
  const [failure, run] = useFailure()
  const stored = useQuery(helmPathQuery(of))
  const { queryKey } = helmPathQuery(of)
  const put = async (wanted: string | null) => {
    // An answer that is on its way may be older than what is set now.
    await queries.cancelQueries({ queryKey })
    const set = await putHelmPath(of, queries.getQueryData(queryKey) ?? null, wanted)
    queries.setQueryData(queryKey, wanted === null ? null : set)
  }
  // Looked at again also when somebody else was faster: their path is shown then, and is in the file.
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
        It comes from a chart
      </button>
    )
  }
  return (
    <QueryState query={stored} what="What is said about its chart">
      {(known) => (
        <div className="grid gap-2">
          <PathForm
            key={known?.etag}
            container={of.container}
            known={known}
            source={source}
            onSave={(wanted) => void save(wanted)}
          />
          {failure}
        </div>
      )}
    </QueryState>
  )
}

type Source = ManifestResult['files'][number]['path_source']

const hints: Record<Exclude<Source, null>, string> = {
  verified: 'Proved with a rendering of the chart.',
  declared: 'As somebody has said; not proved.',
  guessed: 'The file above is a guess: say where it really is.',
  none: 'Without a path the release itself is patched.',
}

type FormProps = {
  container: string
  known: HelmPath | null
  source: Source
  onSave: (path: string | null) => void
}

function PathForm({ container, known, source, onSave }: FormProps) {
  const [path, setPath] = useState(known?.values_path ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(path.trim())
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <TextField
        label={`Where the values of the chart have the resources of ${container}`}
        hint={source === null ? 'Nobody has said it yet.' : hints[source]}
        className="w-full max-w-[360px]"
        required
        maxLength={500}
        placeholder="web.resources"
        value={path}
        onChange={setPath}
      />
      <button className="button mb-5 h-8">Save for this workload</button>
      {known !== null && (
        <button type="button" className="button button-quiet mb-5 h-8" onClick={() => onSave(null)}>
          Take it back
        </button>
      )}
    </form>
  )
}

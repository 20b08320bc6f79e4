import type { ManifestFormatName, ManifestResult } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChartedContainer } from '../../api/helm-paths.ts'
import { archiveOf, manifestsQuery, type ManifestSource } from '../../api/manifests.ts'
import { CopyButton, Segmented } from '../../parts/controls.tsx'
import { download } from '../../parts/download.ts'
import { Icon } from '../../parts/icon.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { Loading, QueryState, useFailure } from '../../parts/states.tsx'
import { CommandSteps } from './command-steps.tsx'
import { Commands } from './commands.tsx'
import { firstFormat, formats, isOfCharts } from './formats.ts'
import { HelmPathField } from './helm-path-field.tsx'
import { ManifestFile } from './manifest-file.tsx'
import { Skipped } from './skipped.tsx'

type Props = {
  source: ManifestSource
  /** The container of a single recommendation, if any. */
  container?: ChartedContainer | undefined
  /** The format shown first. */
  first?: ManifestFormatName
}

/** The change as files to commit; the service does not write to clusters. */
export function ManifestPanel({ source, container, first = firstFormat(false) }: Props) {
  const [format, setFormat] = useState(first)
  const result = useQuery(manifestsQuery(source, format))
  const isInNone = result.data !== undefined && isInNoFormat(result.data)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!isInNone && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Segmented label="Format" value={format} options={formats} onChange={setFormat} />
          {result.data && result.data.files.length > 0 && <TakeAll source={source} result={result.data} />}
        </div>
      )}
      <QueryState query={result} what="The manifest" loading={<Loading rows={5} />}>
        {(known) => (
          <>
            <Shown result={known} isOne={source.ids.length === 1} onFormat={setFormat} />
            {container && isOfCharts(known.format) && <HelmPathField of={container} result={known} />}
          </>
        )}
      </QueryState>
    </div>
  )
}

/** The service suggests another format if there is one. */
const isInNoFormat = ({ files, skipped }: ManifestResult) =>
  files.length === 0 && skipped.every(({ alternative_format: other }) => other === null)

/** One text, and an archive of the directory for Git; plimsoll.md has notes only. */
function TakeAll({ source, result: { format, files, manifest } }: { source: ManifestSource; result: ManifestResult }) {
  const [failure, run] = useFailure()
  const save = () => run(async () => download(`plimsoll-${format}.tar.gz`, await archiveOf(source, format)))
  return (
    <span className="flex flex-wrap items-center gap-2">
      {failure}
      {files.length > 1 && <CopyButton text={manifest} what="Copy all" />}
      <button type="button" className="button button-small" onClick={() => void save()}>
        <Icon name="download" />
        Download .tar.gz
      </button>
    </span>
  )
}

type ShownProps = { result: ManifestResult; isOne: boolean; onFormat: (format: ManifestFormatName) => void }

function Shown({ result, isOne, onFormat }: ShownProps) {
  const { files, skipped, commands, node_removals: removals, warnings, apply, verify } = result
  return (
    <>
      {skipped.length > 0 && (
        <Skipped skipped={skipped} isOne={isOne} hasCommands={commands.length > 0} onFormat={onFormat} />
      )}
      {warnings.map(({ code, message, recommendation_ids: [id] }) => (
        <Note key={`${code} ${id}`} tone="warn" icon="warn">
          {message}
        </Note>
      ))}
      {/* The last file of one recommendation has its change; the files before it only list the last one. */}
      {files.map((file, index) => (
        <ManifestFile
          key={file.path}
          path={file.path}
          text={file.content}
          isOpen={index === (isOne ? files.length - 1 : 0)}
        />
      ))}
      <CommandSteps commands={commands} />
      <Commands title="Apply" steps={apply} />
      <Commands title="Verify" steps={verify} />
      {removals.length > 0 && <h3 className="font-medium">Remove the nodes after the rollout</h3>}
      <CommandSteps commands={removals} />
    </>
  )
}

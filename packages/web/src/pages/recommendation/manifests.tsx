import type { ManifestFormatName, ManifestResult } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { postJson } from '../../api/client.ts'
import { CopyButton, Segmented } from '../../parts/controls.tsx'
import { download } from '../../parts/download.ts'
import { Icon } from '../../parts/icon.tsx'
import { Note } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { Loading, Message, QueryState } from '../../parts/states.tsx'

const formats: { value: ManifestFormatName; word: string }[] = [
  { value: 'kustomize', word: 'Kustomize' },
  { value: 'helm', word: 'Helm' },
  { value: 'json-patch', word: 'JSON patch' },
  { value: 'strategic-merge', word: 'Strategic merge' },
  { value: 'yaml', word: 'YAML' },
]

/** The change as something to commit; the service itself writes to no cluster. */
export function Manifests({ id }: { id: string }) {
  const [format, setFormat] = useState<ManifestFormatName>('kustomize')
  const result = useQuery({
    queryKey: ['manifests', id, format],
    queryFn: () => postJson<ManifestResult>('/api/v1/gitops/manifests', { recommendation_ids: [id], format }),
    staleTime: 60_000,
  })
  return (
    <Section title="Manifest" meta="change it in Git; nothing is written to the cluster">
      <Segmented label="Format" value={format} options={formats} onChange={setFormat} />
      <QueryState query={result} what="The manifest" loading={<Loading rows={5} />}>
        {(known) => <Shown result={known} onFormat={setFormat} />}
      </QueryState>
    </Section>
  )
}

function Shown({ result, onFormat }: { result: ManifestResult; onFormat: (format: ManifestFormatName) => void }) {
  const [skipped] = result.skipped
  if (skipped) {
    const { alternative_format: other } = skipped
    return (
      <Message
        icon="lock"
        title="There is no manifest in this format"
        actions={
          other !== null && (
            <button type="button" className="button" onClick={() => onFormat(other)}>
              Show {formats.find(({ value }) => value === other)?.word}
            </button>
          )
        }
      >
        {skipped.message}
      </Message>
    )
  }
  return (
    <div className="mt-3 grid gap-3">
      {result.warnings.map(({ code, message }) => (
        <Note key={code} tone="warn" icon="warn">
          {message}
        </Note>
      ))}
      {result.files.map((file) => (
        <ManifestText key={file.path} path={file.path} text={file.content} />
      ))}
      <Commands title="Apply" steps={result.apply} />
      <Commands title="Verify" steps={result.verify} />
    </div>
  )
}

function ManifestText({ path, text }: { path: string; text: string }) {
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-2 pb-1">
        <code className="text-ink-2 [overflow-wrap:anywhere]">{path}</code>
        <span className="flex gap-2">
          <CopyButton text={text} />
          <button
            type="button"
            className="button button-small"
            onClick={() => download(path.split('/').at(-1) ?? 'manifest.yaml', 'application/yaml', text)}
          >
            <Icon name="download" />
            Download
          </button>
        </span>
      </div>
      <pre className="code max-h-[480px]" tabIndex={0} aria-label={path}>
        {text}
      </pre>
    </div>
  )
}

type Step = { description: string; command: string; expect?: string }

function Commands({ title, steps }: { title: string; steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <dl className="grid grid-cols-[56px_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2">
      {steps.map(({ description, command, expect }, index) => (
        <div key={command} className="contents">
          <dt className="text-sm text-ink-3">{index === 0 && title}</dt>
          <dd className="min-w-0">
            <code className="[overflow-wrap:anywhere]">{command}</code>
            <p className="text-sm text-ink-3">
              {description}
              {expect !== undefined && ` Expect: ${expect}`}
            </p>
          </dd>
          <dd>
            <CopyButton text={command} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

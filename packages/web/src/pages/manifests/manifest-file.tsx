import { CopyButton } from '../../parts/controls.tsx'
import { download } from '../../parts/download.ts'
import { Icon } from '../../parts/icon.tsx'

type Props = { path: string; text: string; isOpen: boolean }

/** The panel expands one of its files. */
export function ManifestFile({ path, text, isOpen }: Props) {
  const save = () => download(path.split('/').at(-1) ?? 'manifest.yaml', new Blob([text], { type: 'application/yaml' }))
  return (
    <details className="file" open={isOpen}>
      <summary>
        <Icon name="next" />
        <code className="min-w-0 grow text-ink-2 [overflow-wrap:anywhere]">{path}</code>
      </summary>
      <pre className="code max-h-[480px]" tabIndex={0} aria-label={path}>
        {text}
      </pre>
      <span className="file-tools">
        <CopyButton text={text} />
        <button type="button" className="button button-small" onClick={save}>
          <Icon name="download" />
          Download
        </button>
      </span>
    </details>
  )
}

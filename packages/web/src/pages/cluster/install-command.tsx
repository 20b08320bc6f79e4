import type { CreatedCluster } from '@plimsoll/contract'
import { useState } from 'react'
import { CopyButton, Segmented } from '../../parts/controls.tsx'
import { Section } from '../../parts/section.tsx'

type Props = { install: NonNullable<CreatedCluster['install']>; token: string | undefined }

export function InstallCommand({ install, token }: Props) {
  const [how, setHow] = useState<'helm' | 'kubectl'>(install.helm === null ? 'kubectl' : 'helm')
  const command = install[how] ?? install.kubectl
  const [before, after] = token === undefined ? [command] : command.split(token)
  return (
    <Section
      title="Run this where kubectl works"
      meta="the token is shown once"
      end={
        install.helm !== null && (
          <Segmented
            label="How to install"
            value={how}
            options={[
              { value: 'helm', word: 'Helm' },
              { value: 'kubectl', word: 'kubectl' },
            ]}
            onChange={setHow}
          />
        )
      }
    >
      <div className="relative">
        <pre className="code pr-24 whitespace-pre-wrap" tabIndex={0} aria-label="The command">
          {before}
          {after !== undefined && (
            <>
              <span className="text-accent">{token}</span>
              {after}
            </>
          )}
        </pre>
        <span className="absolute top-2 right-2">
          <CopyButton text={command} />
        </span>
      </div>
      <p className="mt-2 max-w-[80ch] text-ink-2">{install.note}</p>
    </Section>
  )
}

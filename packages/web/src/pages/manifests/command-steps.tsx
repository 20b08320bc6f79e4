import type { ManifestResult } from '@plimsoll/contract'
import { scriptOf } from '../../format/runnable.ts'
import { CopyButton } from '../../parts/controls.tsx'

type Commands = ManifestResult['commands'] | ManifestResult['node_removals']

const usesContext = (commands: Commands) =>
  commands.some(({ steps }) => steps.some(({ commands: lines }) => lines.some((line) => line.includes('${CONTEXT'))))

/** Steps that a person runs: changes without a manifest, and the removal of nodes. */
export function CommandSteps({ commands }: { commands: Commands }) {
  if (commands.length === 0) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm text-ink-3">
          {usesContext(commands) && 'Set CONTEXT to the kubectl context of this cluster. '}A command stops if a variable
          is not set.
        </p>
        <CopyButton text={scriptOf(commands)} what="Copy commands" />
      </div>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {commands.flatMap(({ steps }, group) =>
          steps.map((step, index) => (
            <li key={`${group} ${index}`}>
              <p className="font-medium">
                {index + 1}. {step.title}
              </p>
              {step.commands.length > 0 && (
                <pre className="code mt-1" tabIndex={0} aria-label={step.title}>
                  {step.commands.join('\n')}
                </pre>
              )}
              {step.note !== '' && <p className="mt-1 text-sm text-ink-3">{step.note}</p>}
            </li>
          )),
        )}
      </ol>
    </div>
  )
}

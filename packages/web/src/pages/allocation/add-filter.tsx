import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import { capital } from '../../format/labels.ts'
import { Field, Options } from '../../parts/controls.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { ExplorerChange, ExplorerSearch } from '../../url-parameters.ts'
import { knownNames, unknownClusters, withFilter, type FilteredRow, type NamedCluster } from './filters.ts'
import { doesApply, filterNames, filterWords, type FilterName } from './question.ts'

type Props = {
  search: ExplorerSearch
  clusters: readonly NamedCluster[]
  /** Whether the clusters are all that the viewer may see. */
  areAllKnown: boolean
  levels: readonly string[]
  rows: readonly FilteredRow[]
  onAdd: (next: ExplorerChange) => void
}

/** Adds a value to a filter. Values of one filter are alternatives. */
export function AddFilter({ search, clusters, areAllKnown, levels, rows, onAdd }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState<FilterName>('namespace')
  const [value, setValue] = useState('')
  const unknown = areAllKnown ? unknownClusters({ name, text: value }, clusters) : []
  const listId = useId()
  const add = () => {
    const next = withFilter(search, { name, text: value }, clusters)
    if (next === null || unknown.length > 0) return
    onAdd(next)
    setValue('')
    setOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="button button-small">
        <Icon name="plus" />
        Add filter
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop" align="start" sideOffset={6} collisionPadding={12} aria-label="Add filter">
          <form
            className="grid gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              add()
            }}
          >
            <Field label="Field">
              <select className="input" value={name} onChange={(event) => setName(event.target.value as FilterName)}>
                <Options
                  of={filterNames
                    .filter((each) => doesApply(each, levels))
                    .map((each) => [each, capital(filterWords[each])])}
                />
              </select>
            </Field>
            <Field
              label="Value"
              hint={name === 'label' ? 'As key=value' : 'Separate several values with commas'}
              wrong={unknown.length > 0 ? `There is no cluster ${unknown.join(', ')}.` : undefined}
            >
              <input className="input" list={listId} value={value} onChange={(event) => setValue(event.target.value)} />
            </Field>
            <datalist id={listId}>
              {knownNames(name, clusters, rows).map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
            <button
              type="submit"
              className="button button-primary"
              disabled={value.trim() === '' || unknown.length > 0}
            >
              Add
            </button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

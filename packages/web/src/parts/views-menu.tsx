import type { View } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type FormEvent, type MouseEvent } from 'react'
import { api } from '../api/client.ts'
import { viewsQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { TextField } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { QueryState, useFailure } from './states.tsx'

/** Saves the address of the page as a view, and opens saved views. The list is loaded when the dialog opens. */
export function ViewsMenu({ title }: { title: string }) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  if (!may('reports:read')) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Views
      </button>
      {isOpen && <ViewsDialog title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

function ViewsDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const views = useQuery(viewsQuery)
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries({ queryKey: viewsQuery.queryKey })
  return (
    <Dialog title="Saved views" onClose={onClose}>
      <div className="grid gap-5">
        <SaveView title={title} onSaved={() => void reload()} />
        <QueryState query={views} what="The list of views">
          {({ views: all }) =>
            all.length === 0 ? (
              <p className="text-ink-2">No view is saved yet.</p>
            ) : (
              <ul className="grid gap-2" aria-label="Saved views">
                {all.map((view) => (
                  <ViewLine key={view.id} view={view} onOpen={onClose} onChanged={() => void reload()} />
                ))}
              </ul>
            )
          }
        </QueryState>
        <div>
          <button type="button" className="button button-quiet" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function SaveView({ title, onSaved }: { title: string; onSaved: () => void }) {
  const [name, setName] = useState(title)
  const [shared, setShared] = useState(false)
  const [failure, run, wrong] = useFailure(['/name'])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const body = { name: name.trim(), path: location.pathname + location.search, shared }
    if (await run(() => api.createView({ body }))) onSaved()
  }
  return (
    <form className="grid gap-3" onSubmit={(event) => void save(event)}>
      <TextField label="Name" value={name} onChange={setName} wrong={wrong('/name')} required maxLength={100} />
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
        Share with all users who may read reports
      </label>
      {failure}
      <div>
        <button type="submit" className="button button-primary">
          Save view
        </button>
      </div>
    </form>
  )
}

type LineProps = { view: View; onOpen: () => void; onChanged: () => void }

function ViewLine({ view, onOpen, onChanged }: LineProps) {
  const [task, setTask] = useState<'rename' | 'delete' | null>(null)
  const end = () => {
    setTask(null)
    onChanged()
  }
  return (
    <li className="flex flex-wrap items-center gap-2">
      {task === 'rename' ? (
        <RenameView view={view} onDone={end} onCancel={() => setTask(null)} />
      ) : (
        <>
          <ViewLink view={view} onOpen={onOpen} />
          <span className="text-sm text-ink-3">{view.shared ? `shared by ${view.owner}` : 'private'}</span>
          <span className="ml-auto flex gap-1">
            {view.editable && task === null && (
              <>
                <SmallButton onClick={() => setTask('rename')}>Rename</SmallButton>
                <SmallButton onClick={() => setTask('delete')}>Delete</SmallButton>
              </>
            )}
            {task === 'delete' && <DeleteView view={view} onDone={end} onCancel={() => setTask(null)} />}
          </span>
        </>
      )}
    </li>
  )
}

function ViewLink({ view: { name, path }, onOpen }: { view: View; onOpen: () => void }) {
  const { history } = useRouter()
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen()
    history.push(path)
  }
  return (
    <a href={path} className="font-medium hover:underline" onClick={open}>
      {name}
    </a>
  )
}

type TaskProps = { view: View; onDone: () => void; onCancel: () => void }

function RenameView({ view, onDone, onCancel }: TaskProps) {
  const [name, setName] = useState(view.name)
  const [failure, run, wrong] = useFailure(['/name'])
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    const body = { name: name.trim() }
    if (await run(() => api.updateView({ params: { view_id: view.id }, ifMatch: view.etag, body }))) onDone()
  }
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={(event) => void rename(event)}>
      <TextField label="New name" value={name} onChange={setName} wrong={wrong('/name')} required maxLength={100} />
      <button type="submit" className="button">
        Save name
      </button>
      <button type="button" className="button button-quiet" onClick={onCancel}>
        Cancel
      </button>
      {failure}
    </form>
  )
}

function DeleteView({ view, onDone, onCancel }: TaskProps) {
  const [failure, run] = useFailure()
  const remove = async () => {
    if (await run(() => api.deleteView({ params: { view_id: view.id }, ifMatch: view.etag }))) onDone()
  }
  return (
    <>
      {failure}
      <button type="button" className="button button-small button-danger" onClick={() => void remove()}>
        Delete view
      </button>
      <SmallButton onClick={onCancel}>Cancel</SmallButton>
    </>
  )
}

function SmallButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="button button-small button-quiet" onClick={onClick}>
      {children}
    </button>
  )
}

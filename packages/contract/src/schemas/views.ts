import { Type, type Static } from 'typebox'
import { Closed, Formed, ItemEtag, Name, Timestamp } from './common.ts'

/** Views of one user. */
export const viewsPerUserMax = 100

/** After the slash a letter, a digit or a query: no other host can follow. Printable ASCII without backslash and fragment. */
const Path = Formed('^/([A-Za-z0-9?][!-"$-\\[\\]-~]*)?$', 'a path of the dashboard, such as /allocation?by=team', {
  maxLength: 2_000,
  description: 'Path and query of a dashboard page, without scheme and host',
  examples: ['/allocation?by=team'],
})

const Shared = Type.Boolean({ description: 'Visible for all users who may read reports' })

export const CreateViewBody = Closed(
  { name: Name, path: Path, shared: Type.Optional(Shared) },
  { title: 'CreateViewBody', examples: [{ name: 'Cost by team', path: '/allocation?by=team', shared: true }] },
)

export const UpdateViewBody = Closed(
  { name: Type.Optional(Name), path: Type.Optional(Path), shared: Type.Optional(Shared) },
  { title: 'UpdateViewBody', minProperties: 1, examples: [{ name: 'Cost by team' }] },
)

export const View = Type.Object(
  {
    id: Type.String({ examples: ['viw_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    name: Type.String(),
    path: Type.String(),
    shared: Type.Boolean(),
    owner: Type.String({ description: 'E-mail address of the owner' }),
    editable: Type.Boolean({ description: 'You own the view, or you may change settings' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: ItemEtag,
  },
  { title: 'View' },
)

export const ViewList = Type.Object(
  { views: Type.Array(View, { description: 'Your views and shared views, by name, at most 1000' }) },
  { title: 'ViewList' },
)

export type View = Static<typeof View>
export type ViewList = Static<typeof ViewList>

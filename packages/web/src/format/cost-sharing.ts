import type { CostSharing, SharingSettings } from '@plimsoll/contract'

/** The fields of the form; the namespaces are text, comma-separated. */
export type SharingFields = Omit<SharingSettings, 'namespaces'> & { namespaces: string }

export const sharingFields = ({ idle, overhead, namespaces, namespaces_by }: CostSharing): SharingFields => ({
  idle,
  overhead,
  namespaces: namespaces.join(', '),
  namespaces_by,
})

/** How far the figures of two periods can be compared. */
export const ComparisonNote = ({ note }: { note: string | null }) =>
  note === null ? null : (
    <p className="text-sm text-ink-2" role="note">
      {note}
    </p>
  )

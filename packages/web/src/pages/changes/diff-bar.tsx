/** Less to the left, more to the right of the middle. */
export function DiffBar({ usd, max }: { usd: number; max: number }) {
  const width = max === 0 ? 0 : (50 * Math.abs(usd)) / max
  return (
    <span className="diff-bar" aria-hidden="true">
      <span
        className={usd < 0 ? 'less' : ''}
        style={{ left: `${usd < 0 ? 50 - width : 50}%`, width: `max(1px, ${width}%)` }}
      />
    </span>
  )
}

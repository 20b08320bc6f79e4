/** The Plimsoll mark, a circle cut by a line: it shows the level after the change. */
export function Logo({ size = 14, label }: { size?: number; label?: string }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      strokeWidth={size > 18 ? 1.8 : 2}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <circle cx="9" cy="9" r="5.6" />
      <path d="M0.5 9h17" />
    </svg>
  )
}

/** The hatching of unallocated cost. */
export function UnallocatedPattern() {
  return (
    <defs>
      <pattern id="unallocated" width="4.2" height="4.2" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="4.2" height="4.2" fill="var(--unallocated-bg)" />
        <line x1="0" y1="0" x2="0" y2="4.2" stroke="var(--unallocated)" strokeWidth="1.4" />
      </pattern>
    </defs>
  )
}

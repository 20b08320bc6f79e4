/** Places labels beside their lines; labels of close lines are stacked in the same order. */
export function spreadLabels(lines: readonly number[], { gap, low, high }: { gap: number; low: number; high: number }) {
  const order = lines.map((_line, index) => index).sort((a, b) => (lines[a] ?? 0) - (lines[b] ?? 0))
  const placed = [...lines]
  let least = low
  for (const index of order) {
    placed[index] = Math.max(least, placed[index] ?? 0)
    least = (placed[index] ?? 0) + gap
  }
  let most = high
  for (const index of order.reverse()) {
    placed[index] = Math.min(most, placed[index] ?? 0)
    most = (placed[index] ?? 0) - gap
  }
  return placed
}

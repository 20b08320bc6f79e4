import { UnallocatedPattern } from './patterns.tsx'
import { Readable } from './readable.tsx'
import { boxAt, centerOf } from './reading.ts'
import { layTiles, type Place } from './tile-layout.ts'
import { sizeOf, useWidth } from './use-width.ts'

export type Tile = {
  key: string
  name: string
  value: number
  amount: string
  colour: string
  ink: string
  isHatched?: boolean
}

type Props = { tiles: readonly Tile[]; label: string; onPick?: ((key: string) => void) | undefined }

const height = 240
const gap = 1
const letterWidth = 7.2

/** Area shows cost, in the colours of the page. The pointer and the arrow keys read the tiles, largest first. */
export function Treemap({ tiles, label, onPick }: Props) {
  const [ref, width] = useWidth(360)
  const sorted = [...tiles].sort((a, b) => b.value - a.value)
  const places = layTiles(
    sorted.map(({ value }) => value),
    { width, height },
  )
  const sum = sorted.reduce((total, { value }) => total + value, 0)
  const open = (index: number) => {
    const tile = sorted[index]
    if (tile && canOpen(tile, onPick)) onPick?.(tile.key)
  }
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={places.length}
        x={(index) => centerOf(places[index] ?? noPlace).x}
        width={width}
        top={0}
        bottom={height}
        start="first"
        stepAt={(at) => boxAt(at, places)}
        boxOf={(index) => places[index]}
        readingAt={(index) => readingOf(sorted[index], sum)}
        onOpen={onPick && open}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          <UnallocatedPattern />
          {sorted.map((tile, index) => {
            const place = places[index]
            return place ? <TileShape key={tile.key} tile={tile} place={place} onPick={onPick} /> : null
          })}
        </svg>
      </Readable>
    </div>
  )
}

const noPlace: Place = { x: 0, y: 0, width: 0, height: 0 }

const readingOf = (tile: Tile | undefined, sum: number) => ({
  title: tile?.name ?? '',
  lines: [
    { name: 'Cost', value: tile?.amount ?? '' },
    { name: 'Share', value: percentOf(tile?.value ?? 0, sum) },
  ],
})

const percentOf = (value: number, sum: number) => (sum > 0 ? `${((100 * value) / sum).toFixed(1)} %` : '–')

const canOpen = (tile: Tile, onPick: Props['onPick']) =>
  onPick !== undefined && !tile.isHatched && !tile.key.startsWith('__')

type TileProps = { tile: Tile; place: Place; onPick: Props['onPick'] }

function TileShape({ tile, place: { x, y, width, height: tall }, onPick }: TileProps) {
  const isOpen = canOpen(tile, onPick)
  const lettersMax = Math.floor((width - 12) / letterWidth)
  // An amount is shown only below a name.
  const isNamed = lettersMax >= Math.min(tile.name.length, shortestCut) && tall > 20
  // In a narrow tile the name is rotated.
  const isUpright = !isNamed && width > 20 && Math.floor((tall - 12) / letterWidth) >= tile.name.length
  const shape = { x: x + gap, y: y + gap, width: Math.max(0, width - 2 * gap), height: Math.max(0, tall - 2 * gap) }
  return (
    <g className={isOpen ? 'cursor-pointer' : ''} {...(isOpen ? { onClick: () => onPick?.(tile.key) } : {})}>
      <title>{`${tile.name}, ${tile.amount}`}</title>
      <rect {...shape} fill={tile.isHatched ? 'url(#unallocated)' : tile.colour} />
      {isUpright && (
        <text transform={`translate(${x + width / 2 - 4} ${y + 8}) rotate(90)`} fontWeight="600" {...haloOf(tile)}>
          {tile.name}
        </text>
      )}
      {isNamed && (
        <text x={x + 8} y={y + 17} fontWeight="600" {...haloOf(tile)}>
          {cut(tile.name, lettersMax)}
        </text>
      )}
      {isNamed && lettersMax >= 5 && tall > 38 && (
        <text x={x + 8} y={y + 32} {...haloOf(tile)}>
          {tile.amount}
        </text>
      )}
    </g>
  )
}

/** Text on hatching needs an outline. */
const haloOf = ({ isHatched, ink }: Tile) =>
  isHatched
    ? { style: { fill: 'var(--ink)', stroke: 'var(--unallocated-bg)', strokeWidth: 4, paintOrder: 'stroke' } }
    : { style: { fill: ink } }

/** Shorter names are hidden; the tooltip and the table have the full name. */
const shortestCut = 8

const cut = (text: string, lettersMax: number) =>
  text.length > lettersMax ? `${text.slice(0, Math.max(1, lettersMax - 1))}…` : text

import { dollars } from '../format/money.ts'
import { UnaskedPattern } from './patterns.tsx'
import { layTiles, type Place } from './tile-layout.ts'
import { sizeOf, useWidth } from './use-width.ts'

export type Tile = { key: string; name: string; value: number; colour: string; ink: string; isHatched?: boolean }

type Props = { tiles: readonly Tile[]; label: string; onPick?: ((key: string) => void) | undefined }

const height = 240
const gap = 1
const letterWidth = 7.2

/** Area is cost; the same colours as everywhere on the page. What it shows stands in the table as well. */
export function Treemap({ tiles, label, onPick }: Props) {
  const [ref, width] = useWidth(360)
  const sorted = [...tiles].sort((a, b) => b.value - a.value)
  const places = layTiles(
    sorted.map(({ value }) => value),
    { width, height },
  )
  return (
    <div ref={ref}>
      <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
        <UnaskedPattern />
        {sorted.map((tile, index) => {
          const place = places[index]
          return place ? <TileMark key={tile.key} tile={tile} place={place} onPick={onPick} /> : null
        })}
      </svg>
    </div>
  )
}

type TileProps = { tile: Tile; place: Place; onPick: Props['onPick'] }

/** Pointing at it is a shortcut: the keyboard finds the same links in the table. */
function TileMark({ tile, place: { x, y, width, height: tall }, onPick }: TileProps) {
  const isOpen = onPick !== undefined && !tile.isHatched && !tile.key.startsWith('__')
  const room = Math.floor((width - 12) / letterWidth)
  // An amount alone says nothing: it stands below a name, or not at all.
  const isNamed = room >= Math.min(tile.name.length, shortestCut) && tall > 20
  // Narrow and tall: the name runs downwards.
  const isUpright = !isNamed && width > 20 && Math.floor((tall - 12) / letterWidth) >= tile.name.length
  const shape = { x: x + gap, y: y + gap, width: Math.max(0, width - 2 * gap), height: Math.max(0, tall - 2 * gap) }
  return (
    <g className={isOpen ? 'cursor-pointer' : ''} {...(isOpen ? { onClick: () => onPick(tile.key) } : {})}>
      <title>{`${tile.name}, ${dollars(tile.value)}`}</title>
      <rect {...shape} fill={tile.isHatched ? 'url(#unasked)' : tile.colour} />
      {isUpright && (
        <text transform={`translate(${x + width / 2 - 4} ${y + 8}) rotate(90)`} fontWeight="600" {...haloOf(tile)}>
          {tile.name}
        </text>
      )}
      {isNamed && (
        <text x={x + 8} y={y + 17} fontWeight="600" {...haloOf(tile)}>
          {cut(tile.name, room)}
        </text>
      )}
      {isNamed && room >= 5 && tall > 38 && (
        <text x={x + 8} y={y + 32} {...haloOf(tile)}>
          {dollars(tile.value)}
        </text>
      )}
    </g>
  )
}

/** On hatching, letters need an edge of the ground. */
const haloOf = ({ isHatched, ink }: Tile) =>
  isHatched
    ? { style: { fill: 'var(--ink)', stroke: 'var(--unasked-bg)', strokeWidth: 4, paintOrder: 'stroke' } }
    : { style: { fill: ink } }

/** A name that is cut to less than this says nothing; pointing at the tile and the table do. */
const shortestCut = 8

const cut = (text: string, room: number) => (text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text)

import type { Tile } from '@busbar/contract'
import { AlarmsTile } from './alarms-tile.tsx'
import { BarTile } from './bar-tile.tsx'
import { GaugeTile } from './gauge-tile.tsx'
import { PageTile } from './page-tile.tsx'
import { PictureTile } from './picture-tile.tsx'
import { StateTile } from './state-tile.tsx'
import { StripTile } from './strip-tile.tsx'
import { TableTile } from './table-tile.tsx'
import css from './tile.module.css'
import { TrendTile } from './trend-tile.tsx'
import { ValueTile } from './value-tile.tsx'

interface TileBodyProps {
  tile: Tile
  /** The enterprise of the board; null: the reader's own. */
  eid: number | null
  isShared: boolean
  label: string
}

/** The content of a tile, by its kind. */
export function TileBody({ tile, eid, isShared, label }: TileBodyProps) {
  switch (tile.type) {
    case 'value':
      return <ValueTile tile={tile} />
    case 'state':
      return <StateTile tag={tile.tag} />
    case 'gauge':
      return <GaugeTile tile={tile} />
    case 'bar':
      return <BarTile tile={tile} />
    case 'trend':
      return <TrendTile tile={tile} />
    case 'strip':
      return <StripTile tile={tile} />
    case 'table':
      return <TableTile tags={tile.tags} label={label} />
    case 'alarms':
      return <AlarmsTile tile={tile} eid={eid} isShared={isShared} label={label} />
    case 'picture':
      return <PictureTile tile={tile} />
    case 'page':
      return <PageTile machine={tile.machine} eid={eid} />
    case 'text':
      return <p className={css.text}>{tile.text}</p>
  }
}

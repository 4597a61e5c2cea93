import { listTileMachines, type Tile } from '@busbar/contract'
import type { ReactNode } from 'react'
import { ErrorFence } from '../../../shared/ui/error-fence.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './tile.module.css'
import { TileBody } from './tile-body.tsx'
import { namesOf } from './tile-words.ts'

interface TileFrameProps {
  tile: Tile
  eid: number | null
  /** The board is of another space. */
  isShared: boolean
  /** Buttons at its head, while the board is edited. */
  tools?: ReactNode
}

/** A tile with its title and its device; a device that is offline is marked. */
export function TileFrame({ tile, eid, isShared, tools }: TileFrameProps) {
  const t = useBoardsText()
  const data = useData()
  const { title, device } = namesOf(tile, data, t)
  const machines = listTileMachines(tile).map((ref) => data.machine(ref))
  const isOffline =
    machines.length > 0 && machines.every((machine) => typeof machine !== 'string' && !machine.online)
  const label = title || t.kinds[tile.type]
  return (
    <article className={css.tile} aria-label={label} data-kind={tile.type} data-tile={tile.id}>
      {(title || tools) && (
        <header className={css.head}>
          {title && (
            <h3 className="cut" title={title}>
              {title}
            </h3>
          )}
          {device && (
            <span className={`${css.device} cut`} title={device}>
              {device}
            </span>
          )}
          {isOffline && tile.type !== 'page' && (
            <span className={css.offline}>
              <Icon name="offline" size={12} />
              {t.view.offline}
            </span>
          )}
          {tools}
        </header>
      )}
      <div className={css.body} data-offline={isOffline || undefined}>
        <ErrorFence name={tile.id}>
          <TileBody tile={tile} eid={eid} isShared={isShared} label={label} />
        </ErrorFence>
      </div>
    </article>
  )
}

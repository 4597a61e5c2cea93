import type { Tile } from '@busbar/contract'
import { type KeyboardEvent, useId, useMemo } from 'react'
import GridLayout, { type LayoutItem, noCompactor } from 'react-grid-layout'
import 'react-grid-layout/css/styles.css'
import { IconButton } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { useWidth } from '../../../shared/ui/data/use-width.ts'
import { useData } from '../board-data.ts'
import { useBoardsText } from '../boards-text.ts'
import { TileFrame } from '../tiles/tile-frame.tsx'
import { namesOf } from '../tiles/tile-words.ts'
import { readingOrder } from '../view/reading-order.ts'
import css from './edit.module.css'
import { nudge, putTile } from './place-tiles.ts'

interface EditGridProps {
  tiles: readonly Tile[]
  eid: number | null
  isShared: boolean
  chosen: string | undefined
  onTiles: (tiles: Tile[]) => void
  onChoose: (id: string) => void
  onDuplicate: (tile: Tile) => void
  onRemove: (tile: Tile) => void
  /** Reads out the new place of a tile. */
  onSay: (text: string) => void
}

const gridConfig = {
  cols: 24,
  rowHeight: 40,
  margin: [10, 10] as [number, number],
  containerPadding: [0, 0] as [number, number],
}
const arrows: Readonly<Record<string, { x?: number; y?: number }>> = {
  ArrowLeft: { x: -1 },
  ArrowRight: { x: 1 },
  ArrowUp: { y: -1 },
  ArrowDown: { y: 1 },
}

/** The tiles while they are edited: moved and resized by the mouse, or by keys. */
export default function EditGrid(props: EditGridProps) {
  const { tiles, eid, isShared, chosen, onTiles, onChoose, onDuplicate, onRemove, onSay } = props
  const t = useBoardsText()
  const data = useData()
  const keysId = useId()
  const [box, width] = useWidth<HTMLDivElement>()
  const layout = useMemo(() => tiles.map(({ id: i, x, y, w, h }) => ({ i, x, y, w, h })), [tiles])

  /** Applies the library's moves as one step. */
  function take(moved: readonly LayoutItem[]) {
    const places = new Map(moved.map(({ i, x, y, w, h }) => [i, { x, y, w, h }]))
    const next = tiles.map((tile) => ({ ...tile, ...places.get(tile.id) }))
    const isMoved = next.some((tile, at) => {
      const was = tiles[at]
      return was && (tile.x !== was.x || tile.y !== was.y || tile.w !== was.w || tile.h !== was.h)
    })
    if (isMoved) onTiles(next)
  }

  function onKey(event: KeyboardEvent, tile: Tile) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = arrows[event.key]
    if (arrow) {
      const place = nudge(tile, event.shiftKey ? { w: arrow.x ?? 0, h: arrow.y ?? 0 } : arrow)
      onTiles(putTile(tiles, tile.id, place))
      onSay(t.edit.moved(place.x + 1, place.y + 1, place.w, place.h))
    } else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(tile)
    else if (event.key === 'Enter') onChoose(tile.id)
    else return
    event.preventDefault()
  }

  return (
    <div ref={box} className={css.grid}>
      <p id={keysId} className="sr-only">
        {t.edit.keys}
      </p>
      {width > 0 && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={gridConfig}
          dragConfig={{ enabled: true, cancel: 'button, a, [role="application"]' }}
          resizeConfig={{ enabled: true, handles: ['se', 'e', 's'] }}
          compactor={noCompactor}
          onDragStop={(moved) => take(moved)}
          onResizeStop={(moved) => take(moved)}
        >
          {readingOrder(tiles).map((tile) => {
            const label = namesOf(tile, data, t).title || t.kinds[tile.type]
            return (
              // biome-ignore lint/a11y/useSemanticElements: a tile is moved by keys, which no native element is
              <div
                key={tile.id}
                role="group"
                aria-label={label}
                aria-describedby={keysId}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
                tabIndex={0}
                className={classes(css.cell, tile.id === chosen && css.chosen)}
                onKeyDown={(event) => onKey(event, tile)}
              >
                <TileFrame
                  tile={tile}
                  eid={eid}
                  isShared={isShared}
                  tools={
                    <span className={css.tools}>
                      <IconButton
                        icon="sliders"
                        size="small"
                        label={`${t.edit.settings} · ${label}`}
                        onClick={() => onChoose(tile.id)}
                      />
                      <IconButton
                        icon="copy"
                        size="small"
                        label={`${t.edit.duplicate} · ${label}`}
                        onClick={() => onDuplicate(tile)}
                      />
                      <IconButton
                        icon="trash"
                        size="small"
                        label={`${t.edit.remove} · ${label}`}
                        onClick={() => onRemove(tile)}
                      />
                    </span>
                  }
                />
              </div>
            )
          })}
        </GridLayout>
      )}
    </div>
  )
}

import { useRef } from 'react'
import { useAlarmSync } from '../../../entities/alarm/use-alarm-sync.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { BoardDataProvider, useBoardData } from '../board-data.ts'
import { type Board, tileEidOf } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import { TileFrame } from '../tiles/tile-frame.tsx'
import { useBoardSync } from '../use-board-sync.ts'
import { useBoardsSearch } from '../use-boards-search.ts'
import css from './board.module.css'
import { BoardBar } from './board-bar.tsx'
import { BoardTimeProvider, useBoardTime } from './board-time.ts'
import { readingOrder } from './reading-order.ts'
import { useBoardMachine } from './use-board-machine.ts'
import { useWall } from './use-wall.ts'

/** A board for viewing. */
export function BoardView({ board, space }: { board: Board; space: PageSpace }) {
  const t = useBoardsText()
  const [, update] = useBoardsSearch()
  const { layout } = board
  const machines = useBoardMachine(layout, space)
  const data = useBoardData(layout, machines.chosen?.id)
  const time = useBoardTime(layout)
  const box = useRef<HTMLDivElement>(null)
  const wall = useWall()
  useAlarmSync()
  useBoardSync(board.id, board.version, ({ by, deleted }) => {
    const who = by || t.view.someone
    showToast(deleted ? t.view.deleted(who) : t.view.changed(who), 'info')
    if (deleted) update({ board: undefined, machine: undefined })
  })
  return (
    <BoardDataProvider value={data}>
      <BoardTimeProvider value={time}>
        <div ref={box} className={css.board} data-wall={wall.isOn || undefined}>
          <BoardBar board={board} machines={machines} time={time} wall={wall} space={space} />
          {layout.tiles.length === 0 ? (
            <EmptyState
              icon="cards"
              title={t.view.empty}
              hint={board.mayEdit ? t.view.emptyHint : t.view.emptyMember}
            />
          ) : (
            <section className={css.grid} aria-label={t.view.grid}>
              {readingOrder(layout.tiles).map((tile) => (
                <div
                  key={tile.id}
                  className={css.cell}
                  style={{
                    gridColumn: `${tile.x + 1} / span ${tile.w}`,
                    gridRow: `${tile.y + 1} / span ${tile.h}`,
                    // On a phone the tiles are stacked, each as high as here.
                    ['--rows' as string]: tile.h,
                  }}
                >
                  <TileFrame tile={tile} eid={tileEidOf(board, space)} isShared={board.sharedBy !== null} />
                </div>
              ))}
            </section>
          )}
        </div>
      </BoardTimeProvider>
    </BoardDataProvider>
  )
}

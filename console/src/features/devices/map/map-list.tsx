import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { KeyValue } from '../../../entities/machine/key-value.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { formatDistance } from '../../../entities/place/format-distance.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import { AlarmCount } from '../list/alarm-count.tsx'
import css from './map-list.module.css'

interface MapListProps {
  readonly label: string
  readonly rows: readonly Machine[]
  /** The machine whose card is open. */
  readonly markId: number | undefined
  /** The machine whose mark is under the pointer. */
  readonly hoveredId: number | undefined
  readonly distanceOf: (machine: Machine) => number | undefined
  readonly selected: ReadonlySet<RowKey>
  readonly onToggle: (machine: Machine) => void
  /** By the keyboard: the card takes the focus, and gives it back to `row`. */
  readonly onMark: (machine: Machine, byKeyboard: boolean, row: HTMLElement) => void
  readonly onHover: (machine: Machine | undefined) => void
  readonly onVisibleChange: (ids: readonly number[]) => void
}

const rowHeight = 52
const overscanRows = 6

/** The machines in the part of the earth that the map shows. */
export function MapList(props: MapListProps) {
  const { rows, markId, onVisibleChange } = props
  const t = useMapText().list
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const visible = items.map(({ key }) => Number(key)).join()
  useEffect(() => {
    const ids = visible ? visible.split(',').map(Number) : []
    onVisibleChange(markId === undefined ? ids : [...ids, markId])
  }, [visible, markId, onVisibleChange])
  return (
    <div ref={scroller} className={css.scroller}>
      <ul aria-label={props.label} className={css.list} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const machine = rows[index]
          if (!machine) return null
          const distance = props.distanceOf(machine)
          const isSelected = props.selected.has(machine.id)
          return (
            <li
              key={key}
              data-subject=""
              className={classes(
                css.row,
                machine.id === markId && css.marked,
                machine.id === props.hoveredId && css.hovered,
              )}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onPointerEnter={() => props.onHover(machine)}
              onPointerLeave={() => props.onHover(undefined)}
            >
              <input
                type="checkbox"
                className={css.check}
                checked={isSelected}
                aria-label={`${t.select} ${machine.name}`}
                onChange={() => props.onToggle(machine)}
              />
              <button
                type="button"
                className={css.open}
                aria-current={machine.id === markId ? 'true' : undefined}
                onFocus={() => props.onHover(machine)}
                onBlur={() => props.onHover(undefined)}
                // A press of a key counts no clicks.
                onClick={({ detail, currentTarget }) => props.onMark(machine, detail === 0, currentTarget)}
              >
                <span className={css.line}>
                  <span className={classes(css.name, 'cut')}>{machine.name}</span>
                  {machine.openAlarms > 0 && <AlarmCount machine={machine} />}
                </span>
                <span className={css.line}>
                  <StateGlyph state={displayState(machine)} size={9} />
                  {machine.overview?.keyTag && <KeyValue machine={machine} className={css.value} />}
                  {distance !== undefined && (
                    <span className={classes(css.distance, 'numbers')}>{formatDistance(distance)}</span>
                  )}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

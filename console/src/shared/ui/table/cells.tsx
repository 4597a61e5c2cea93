import type { ReactNode } from 'react'
import { emptyMark, formatExact, formatNumber } from '../../i18n/index.ts'
import type { RowState } from '../data/virtual-grid.tsx'
import { Tag } from '../tag.tsx'
import type { CellValue } from './cell-value.ts'
import css from './cells.module.css'
import type { TableColumn } from './column.ts'

/** The function that draws a column's cells: the column's own, or its value as a text. */
export function cellOf<Row>({ cell, value }: TableColumn<Row>): (row: Row, state: RowState) => ReactNode {
  return cell ?? ((row) => <PlainCell value={value?.(row)} />)
}

/** A value as a text of one line. */
export function PlainCell({ value }: { value: CellValue }) {
  const text = typeof value === 'number' ? formatNumber(value) : String(value ?? '')
  return (
    <span className="cut" title={typeof value === 'string' ? value : undefined}>
      {text || emptyMark}
    </span>
  )
}

interface LinesProps {
  main: ReactNode
  /** Under it, smaller; in compact rows beside it. */
  minor?: ReactNode
}

/** A cell of two lines. */
export function Lines({ main, minor }: LinesProps) {
  return (
    <div className={css.lines}>
      <div className="cut">{main}</div>
      {minor && <div className={css.minor}>{minor}</div>}
    </div>
  )
}

interface NameCellProps {
  name: string
  minor?: ReactNode
  /** Beside the name. */
  tags?: ReactNode
  /** Before the name: a picture. */
  before?: ReactNode
}

/** The cell with the name of a row. */
export function NameCell({ name, minor, tags, before }: NameCellProps) {
  return (
    <div className={css.named}>
      {before}
      <div className={css.lines}>
        <p className={css.name}>
          <span className="cut" title={name}>
            {name}
          </span>
          {tags}
        </p>
        {minor && <div className={css.minor}>{minor}</div>}
      </div>
    </div>
  )
}

/** The buttons of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>
}

/** A row's words as small tags; the ones that do not fit are counted. */
export function TagsCell({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <span className={css.none}>{emptyMark}</span>
  return (
    <span className={css.tags} title={tags.join(' · ')}>
      {tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  )
}

/** A time to the second, as tables have it that people compare. */
export function ExactTime({ at }: { at: number | null }) {
  if (at === null) return emptyMark
  return (
    <time className="cut" dateTime={new Date(at).toISOString()}>
      {formatExact(at)}
    </time>
  )
}

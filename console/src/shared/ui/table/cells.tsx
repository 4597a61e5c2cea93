import type { ReactNode } from 'react'
import { emptyMark, formatExact, formatNumber } from '../../i18n/index.ts'
import type { RowState } from '../data/virtual-grid.tsx'
import { Box, Row, Text } from '../layout/layout.tsx'
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
    <Box grows className={css.lines}>
      <div className="cut">{main}</div>
      {minor && (
        <Text as="div" tone="quiet" size={11} weight={400} cut numbers className={css.minor}>
          {minor}
        </Text>
      )}
    </Box>
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
    <Row gap={10} grows>
      {before}
      <Box grows className={css.lines}>
        <Row as="p" gap={6} shrinks leading={18} weight={600} className={css.name}>
          <span className="cut" title={name}>
            {name}
          </span>
          {tags}
        </Row>
        {minor && (
          <Text as="div" tone="quiet" size={11} weight={400} cut numbers className={css.minor}>
            {minor}
          </Text>
        )}
      </Box>
    </Row>
  )
}

/** The buttons of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Row gap={4} justify="end" wide className={css.actions}>
      {children}
    </Row>
  )
}

/** A row's words as small tags; the ones that do not fit are counted. */
export function TagsCell({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <Text tone="quiet">{emptyMark}</Text>
  return (
    <Row as="span" gap={4} align="stretch" shrinks className={css.tags} title={tags.join(' · ')}>
      {tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </Row>
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

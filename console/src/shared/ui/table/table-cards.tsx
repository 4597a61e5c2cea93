import { type MouseEvent, type ReactNode, useState } from 'react'
import { formatNumber, useText } from '../../i18n/index.ts'
import { Button, IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import type { GridSelection, RowKey } from '../data/virtual-grid.tsx'
import { Grid, Row, Stack, Text } from '../layout/layout.tsx'
import { cellOf } from './cells.tsx'
import type { TableColumn } from './column.ts'
import css from './table-cards.module.css'

interface TableCardsProps<Row, Key extends RowKey> {
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  rowName: (row: Row) => string
  selection: GridSelection<Key> | undefined
  onOpen: ((row: Row) => void) | undefined
  rowClass: ((row: Row) => string | undefined) | undefined
  empty: ReactNode
}

/** Drawn at once; more by a press. */
const cardsPerStep = 100
/** Elements that handle a press themselves, instead of the card. */
const pressable = 'button, a, input, select, label, summary, [role="menu"], [role="dialog"]'

const isWithoutCaption = <Row,>({ card, isTitleHidden }: TableColumn<Row>): boolean =>
  card === 'plain' || card === 'half' || isTitleHidden === true

/** Without its title, the dash of a missing value would be meaningless. */
function isBlank<Row>(column: TableColumn<Row>, row: Row): boolean {
  const { value } = column
  if (!value || !isWithoutCaption(column)) return false
  return (value(row) ?? '') === ''
}

/** The rows of a list on a phone: each a card, its name and what can be done in the first line, the rest below. */
export function TableCards<Row, Key extends RowKey>(props: TableCardsProps<Row, Key>) {
  const { label, columns, rows, rowKey, rowName, selection, onOpen, empty } = props
  const t = useText().table
  const [cardsMax, setCardsMax] = useState(cardsPerStep)
  if (rows.length === 0) return empty
  const name = columns.find(({ card }) => card === 'name') ?? columns[0]
  const actions = columns.find(({ card }) => card === 'actions')
  const foot = columns.find(({ card }) => card === 'foot')
  const others = columns.filter(
    (column) => column !== name && column !== actions && column !== foot && column.card !== 'none',
  )
  const draw = (column: TableColumn<Row>, row: Row) =>
    cellOf(column)(row, { active: true, selected: selection?.has(rowKey(row)) ?? false })

  function onPress(event: MouseEvent, row: Row) {
    const pressed = event.target instanceof Element ? event.target.closest(pressable) : null
    if (!pressed || !event.currentTarget.contains(pressed)) onOpen?.(row)
  }

  return (
    <>
      <Stack as="ul" gap={10} aria-label={label}>
        {rows.slice(0, cardsMax).map((row) => {
          const key = rowKey(row)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: its button opens it by key
            <li
              key={key}
              data-subject=""
              className={classes(css.card, selection?.has(key) && css.selected, props.rowClass?.(row))}
              onClick={onOpen && ((event) => onPress(event, row))}
            >
              <Row gap={10}>
                {selection && (
                  <input
                    type={selection.isOne ? 'radio' : 'checkbox'}
                    className={css.check}
                    aria-label={t.select(rowName(row))}
                    checked={selection.has(key)}
                    onChange={() => selection.toggle(key, false)}
                  />
                )}
                {name && (
                  <Text as="div" grows breaks className={css.name} data-kind="name">
                    {draw(name, row)}
                  </Text>
                )}
                {actions && draw(actions, row)}
                {onOpen && (
                  <IconButton
                    icon="chevronRight"
                    size="small"
                    label={t.open(rowName(row))}
                    onClick={() => onOpen(row)}
                  />
                )}
              </Row>
              {others.length > 0 && (
                <Grid as="dl" above={6} gap="4 16" className={css.rest}>
                  {others
                    .filter((column) => !isBlank(column, row))
                    .map((column) => (
                      <Row
                        key={column.id}
                        gap="0 8"
                        align="baseline"
                        wraps
                        shrinks
                        className={classes(column.card === 'plain' && css.plain)}
                      >
                        <dt className={isWithoutCaption(column) ? 'sr-only' : css.caption}>{column.title}</dt>
                        <Text as="dd" shrinks tone="soft" breaks numbers data-kind={column.kind}>
                          {draw(column, row)}
                        </Text>
                      </Row>
                    ))}
                </Grid>
              )}
              {foot && (
                <Row above={8} gap={8} align="stretch" wraps className={css.foot}>
                  {draw(foot, row)}
                </Row>
              )}
            </li>
          )
        })}
      </Stack>
      {rows.length > cardsMax && (
        <Row as="p" pad="10 16" align="stretch" justify="center">
          <Button size="small" onClick={() => setCardsMax(cardsMax + cardsPerStep)}>
            {t.more(formatNumber(rows.length - cardsMax))}
          </Button>
        </Row>
      )}
    </>
  )
}

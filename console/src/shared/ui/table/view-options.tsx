import { useText } from '../../i18n/index.ts'
import { updatePreferences, usePreferences } from '../../session/preferences.ts'
import { Button, IconButton } from '../button.tsx'
import { Row, Text } from '../layout/layout.tsx'
import { Popover } from '../popover/popover.tsx'
import { Select } from '../select/select.tsx'
import { ToggleGroup } from '../toggle-group/toggle-group.tsx'
import type { TableColumn, TableSort } from './column.ts'
import { isShown, isUntouched, noSettings, pinOf } from './settings.ts'
import type { Arrangement } from './use-arrangement.ts'
import css from './view-options.module.css'

/** Stands for no column among the columns to sort by. */
const ownOrder = 'own'

interface CardSort<Row> {
  readonly sort: TableSort | null
  readonly onSort: (sort: TableSort | null) => void
  readonly canSort: (column: TableColumn<Row>) => boolean
}

interface SortSelectProps<Row> extends CardSort<Row> {
  columns: readonly TableColumn<Row>[]
}

interface ViewOptionsProps<Row> {
  columns: readonly TableColumn<Row>[]
  arrangement: Arrangement
  /** Cards have neither headers nor heights: they are sorted here. */
  ofCards?: CardSort<Row> | undefined
  /** Of its button; without it the small one of a table's toolbar. */
  isBordered?: boolean
}

/** Display options of a list: order, row height, columns. */
export function ViewOptions<Row>(props: ViewOptionsProps<Row>) {
  const { columns, arrangement, ofCards, isBordered = false } = props
  const t = useText().table
  const { settings, arrange } = arrangement
  const { rowDensity = 'normal' } = usePreferences()
  const hideable = columns.filter((column) => column.hideable !== false)
  return (
    <Popover
      placement="bottom end"
      label={t.view}
      className={css.panel}
      trigger={
        isBordered ? (
          <IconButton icon="sliders" bordered label={t.view} />
        ) : (
          <IconButton icon="sliders" size="small" label={t.view} />
        )
      }
    >
      {ofCards ? (
        <SortSelect {...ofCards} columns={columns} />
      ) : (
        <Row below={12} gap={12} justify="between">
          <span>{t.density}</span>
          <ToggleGroup
            label={t.density}
            size="small"
            options={(['normal', 'compact'] as const).map((value) => ({
              value,
              label: t.densities[value],
            }))}
            value={rowDensity}
            onChange={(wished) => updatePreferences({ rowDensity: wished })}
          />
        </Row>
      )}
      <fieldset className={css.columns}>
        <legend className={css.legend}>{t.columns}</legend>
        {hideable.map((column) => {
          const isPinned = pinOf(column, settings) !== undefined
          const pinWord = (isPinned ? t.unpin : t.pin)(column.title)
          return (
            <Row key={column.id} gap={8} className={css.column}>
              <Row as="label" gap={8} grows className={css.name}>
                <input
                  type="checkbox"
                  checked={isShown(column, settings)}
                  onChange={(event) =>
                    arrange({
                      ...settings,
                      shown: { ...settings.shown, [column.id]: event.target.checked },
                    })
                  }
                />
                {column.title}
              </Row>
              {!ofCards && (
                <button
                  type="button"
                  className={css.pin}
                  aria-pressed={isPinned}
                  aria-label={pinWord}
                  data-tip={pinWord}
                  onClick={() =>
                    arrange({
                      ...settings,
                      pinned: { ...settings.pinned, [column.id]: isPinned ? 'none' : 'start' },
                    })
                  }
                >
                  <PinMark />
                </button>
              )}
            </Row>
          )
        })}
      </fieldset>
      {!ofCards && (
        <Text as="p" below={8} tone="quiet" size="11/16">
          {t.resizeHint}
        </Text>
      )}
      <Button size="small" disabled={isUntouched(settings)} onClick={() => arrange(noSettings)}>
        {t.reset}
      </Button>
    </Popover>
  )
}

/** The order of cards. */
function SortSelect<Row>({ columns, sort, onSort, canSort }: SortSelectProps<Row>) {
  const t = useText().table
  const sortable = columns.filter(canSort)
  if (sortable.length === 0) return null
  return (
    <Row below={12} gap={12} justify="between">
      <Select
        label={t.sortBy}
        choices={[
          { value: ownOrder, label: t.ownOrder },
          ...sortable.flatMap(({ id, title }) => [
            { value: id, label: `${title} ↑` },
            { value: `-${id}`, label: `${title} ↓` },
          ]),
        ]}
        value={sort ? `${sort.isDescending ? '-' : ''}${sort.columnId}` : ownOrder}
        onChange={(value) =>
          onSort(
            value === ownOrder
              ? null
              : { columnId: value.replace(/^-/, ''), isDescending: value.startsWith('-') },
          )
        }
      />
    </Row>
  )
}

/** A pin, in the drawing language of the icons. */
function PinMark() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="14"
      height="14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d="M9 4h6l-.6 6 3.1 3.5h-11L9.6 10zM12 13.5V20" />
    </svg>
  )
}

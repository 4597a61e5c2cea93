// biome-ignore-all lint/a11y/useSemanticElements: rows are placed and only the visible ones drawn, which the table elements cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are placed and only the visible ones drawn, which the table elements cannot do
import type { telemetry } from '@busbar/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useVariableColours } from '../../../entities/history/variable-colours.ts'
import { liveValues } from '../../../entities/machine/live-values.ts'
import {
  listVariables,
  sortTags,
  type TagOrder,
  type VariableItem,
} from '../../../entities/machine/tag-list.ts'
import { push } from '../../../shared/api/live.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { TagsMenu } from '../tags/tags-menu.tsx'
import setPoint from '../writes/set-point.module.css'
import css from './pane-variables.module.css'
import { useKeyTag } from './use-key-tag.ts'
import { isDrawable, trendTagsMax } from './use-trend.ts'
import { VariableRow } from './variable-row.tsx'

const TagDialog = lazyPart(
  () => import('../tags/tag-dialog.tsx').then((module) => module.TagDialog),
  'dialog',
)

interface PaneVariablesProps {
  machineId: number
  online: boolean
  /** The caller may only watch. */
  readOnly: boolean
  /** The caller may edit names and descriptions of variables. */
  mayDescribe: boolean
  tags: readonly telemetry.Tag[]
  /** Undefined if the machine is in no list of the caller that would show a key value. */
  keyTagId: number | null | undefined
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
  onShowTrend: () => void
  /** The scrolling element: the list scrolls with the pane. */
  scroller: RefObject<HTMLElement | null>
}

/** Fewer can be overlooked at a glance. */
const searchFrom = 13
const groupHeight = 34
const rowHeight = 44

/** Every tag with its live value, quality and age. */
export function PaneVariables(props: PaneVariablesProps) {
  const { machineId, online, readOnly, mayDescribe, tags, chosen, onChoose, onShowTrend, scroller } = props
  const text = useText()
  const t = text.machines
  const [editing, setEditing] = useState<number | null>(null)
  const [described, setDescribed] = useState<telemetry.Tag>()
  const hasSetPoints = useMemo(() => tags.some((tag) => !tag.readOnly), [tags])
  const canSet = online && !readOnly
  const [query, setQuery] = useState('')
  const lang = useLang()
  const [order, setOrder] = useState<TagOrder>('machine')
  const sorted = useMemo(() => sortTags(tags, order, lang), [tags, order, lang])
  const items = useMemo(() => listVariables(sorted, query), [sorted, query])
  const colours = useVariableColours(tags, chosen)
  const isSettable = hasSetPoints && canSet
  const isKeyed = props.keyTagId !== undefined
  const keyTag = useKeyTag(machineId, tags, props.keyTagId ?? null)

  useEffect(() => push.watch(machineId, undefined, (values) => liveValues.put(values)), [machineId])

  if (tags.length === 0) {
    return <EmptyState icon="tag" title={t.variables.none} hint={t.variables.noneHint} />
  }

  function toggle(tag: telemetry.Tag) {
    if (chosen.includes(tag.tagId)) onChoose(chosen.filter((other) => other !== tag.tagId))
    else if (chosen.length < trendTagsMax) onChoose([...chosen, tag.tagId])
  }

  return (
    <div className={css.variables}>
      {hasSetPoints && readOnly && (
        <p className={setPoint.watchOnly}>
          <Icon name="eye" size={14} />
          {text.visits.setPoint.watchOnly}
        </p>
      )}
      <Row gap={12} className={css.head}>
        {tags.length >= searchFrom && (
          <SearchField label={t.variables.search} value={query} onChange={setQuery} className={css.search} />
        )}
        {query && (
          <Text tone="quiet" size={12} numbers>
            {t.variables.count(countTags(items))}
          </Text>
        )}
        <Box as="span" last>
          <TagsMenu machineId={machineId} tags={tags} mayEdit={mayDescribe} />
        </Box>
      </Row>
      {items.length === 0 ? (
        <p className={css.noMatch}>{t.variables.noMatch}</p>
      ) : (
        <VariableTable
          items={items}
          scroller={scroller}
          settable={isSettable}
          keyed={isKeyed}
          order={order}
          onOrder={setOrder}
          row={(tag) => (
            <VariableRow
              machineId={machineId}
              tag={tag}
              online={online}
              colour={colours.get(tag.tagId) ?? 0}
              canDraw={isDrawable(tag)}
              isFull={chosen.length >= trendTagsMax}
              isKey={tag.tagId === keyTag.tagId}
              settable={isSettable}
              canSet={canSet && !tag.readOnly}
              isEditing={tag.tagId === editing}
              onEdit={(edited) => setEditing(edited?.tagId ?? null)}
              onToggle={toggle}
              onDescribe={mayDescribe ? setDescribed : undefined}
              onMakeKey={isKeyed ? keyTag.choose : undefined}
            />
          )}
        />
      )}
      {described && (
        <TagDialog machineId={machineId} tag={described} onClose={() => setDescribed(undefined)} />
      )}
      {(chosen.length > 0 || keyTag.undo) && (
        <div className={css.tray} role="status">
          {keyTag.undo ? (
            <>
              <span className="cut">{keyTag.undo.text}</span>
              <Button size="small" icon="history" onClick={keyTag.undo.run}>
                {t.variables.undo}
              </Button>
            </>
          ) : (
            <>
              <span>{t.variables.inTrend(chosen.length, trendTagsMax)}</span>
              <Button size="small" icon="chart" onClick={onShowTrend}>
                {t.variables.showTrend}
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  )
}

function countTags(items: readonly VariableItem[]): number {
  return items.filter((item) => item.kind === 'tag').length
}

interface VariableTableProps {
  items: readonly VariableItem[]
  scroller: RefObject<HTMLElement | null>
  /** Some can be set, so there is a column for it. */
  settable: boolean
  /** One of them can be made the key value. */
  keyed: boolean
  order: TagOrder
  onOrder: (order: TagOrder) => void
  row: (tag: telemetry.Tag) => React.ReactNode
}

const nextOrder = { machine: 'ascending', ascending: 'descending', descending: 'machine' } as const
const sortNames = { machine: 'none', ascending: 'ascending', descending: 'descending' } as const

/** Names the columns; the name of the variable sorts them. */
function VariableHead({
  settable,
  keyed,
  order,
  onOrder,
}: Pick<VariableTableProps, 'settable' | 'keyed' | 'order' | 'onOrder'>) {
  const t = useText().machines.variables
  return (
    <div role="rowgroup" className={css.columns}>
      <div
        role="row"
        aria-rowindex={1}
        className={classes(css.columnRow, settable && css.settable, keyed && css.keyed)}
      >
        <Row role="columnheader" aria-sort={sortNames[order]} padX={8} gap={10} shrinks>
          <span data-tip={t.columns.trendHint}>{t.columns.trend}</span>
          <button type="button" className={css.sort} onClick={() => onOrder(nextOrder[order])}>
            {t.columns.name}
            {order !== 'machine' && <Icon name={order === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />}
          </button>
        </Row>
        <Text role="columnheader" as="div" to="end">
          {t.columns.value}
        </Text>
        {settable && (
          <Text role="columnheader" as="div" to="end">
            {t.columns.set}
          </Text>
        )}
        {keyed && (
          <Text role="columnheader" as="div" to="end">
            <span data-tip={t.columns.keyHint}>{t.columns.key}</span>
          </Text>
        )}
      </div>
    </div>
  )
}

/** Draws the visible rows only: a machine may have 5,000 tags. */
function VariableTable({ items, scroller, row, ...head }: VariableTableProps) {
  const { settable, keyed } = head
  const t = useText().machines
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(body.current?.offsetTop ?? 0), [])
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // A row grows by its editor, and by the result of a write.
    estimateSize: (index) => (items[index]?.kind === 'tag' ? rowHeight : groupHeight),
    getItemKey: (index) => {
      const item = items[index]
      return item?.kind === 'tag' ? item.tag.tagId : `group/${item?.name}`
    },
    overscan: 6,
    scrollMargin: offset,
  })
  return (
    <div role="table" aria-label={t.variables.label} aria-rowcount={items.length + 1}>
      <VariableHead {...head} />
      <div ref={body} role="rowgroup" className={css.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index]
          if (!item) return null
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              className={classes(
                css.row,
                item.kind === 'group' && css.groupRow,
                settable && css.settable,
                keyed && css.keyed,
              )}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              {item.kind === 'group' ? (
                <div role="rowheader" className={css.group}>
                  {item.name || t.variables.ungrouped}
                  <span>{formatNumber(item.count)}</span>
                </div>
              ) : (
                row(item.tag)
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

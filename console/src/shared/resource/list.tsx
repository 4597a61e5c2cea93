import type { EnterpriseMembership, Route } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { Button, IconButton } from '../ui/button.tsx'
import type { RowKey } from '../ui/data/virtual-grid.tsx'
import type { Proof } from '../ui/dialogs/confirm-dialog.tsx'
import type { IconName } from '../ui/icon-paths.ts'
import { Menu, MenuItem } from '../ui/menu/menu.tsx'
import { actionsColumn, type TableColumn } from '../ui/table/column.ts'
import { DataTable, type DataTableProps } from '../ui/table/data-table.tsx'
import type { Filters } from '../ui/table/filter.ts'
import type { ListFilter } from '../ui/table/use-rows.ts'
import { type TableView, useTableView } from '../ui/table/use-table-view.ts'
import { reloadTouched, type Touched } from '../ui/use-act.ts'
import { type Act, allowed, BulkActs, type Opens, RowActs, useActs, widthOfActs } from './acts.tsx'
import { type ListColumn, tableColumn, wishOf } from './columns.tsx'
import { type Reading, type Rows, readerOf } from './rows.ts'

/** A button of the list itself. */
export interface HeadAct {
  readonly label: string
  readonly icon?: IconName
  /** Its call, without which people do not see it if they may not make it. */
  readonly route?: Route
  readonly opens?: (close: () => void) => ReactNode
  readonly run?: () => void
}

/** A filter that belongs to no column: by one field of the request, whose values all have their word. */
interface RequestFilter<Value extends string> {
  readonly title: string
  readonly choices: Readonly<Record<Value, string>>
  /** Chosen when the list opens. */
  readonly first?: Value
  /** In a panel although the choices are few. */
  readonly isInPanel?: boolean
}

type WordOf<Request, Field extends keyof Request> = Extract<Request[Field], string> | NumberOf<Request[Field]>

/** Numbers are chosen by their digits. */
type NumberOf<Value> = Extract<Value, number> extends never ? never : string

type RequestFilters<Request> = {
  readonly [Field in keyof Request & string as [WordOf<Request, Field>] extends [never]
    ? never
    : Field]?: RequestFilter<WordOf<Request, Field>>
}

export interface ListProps<Row, Request, Id extends string>
  extends Pick<
    DataTableProps<NoInfer<Row>, RowKey>,
    | 'title'
    | 'isTitleHidden'
    | 'lead'
    | 'note'
    | 'search'
    | 'searched'
    | 'onOpen'
    | 'openKey'
    | 'rowClass'
    | 'hasKeys'
    | 'children'
    | 'empty'
  > {
  /** The list's own name, under which each person's settings of it are kept; it must not change. */
  id: string
  rows: Rows<Row, Request>
  /** The state of the list, where the page keeps it: in its address. */
  view?: TableView
  rowKey: Reading<NoInfer<Row>, RowKey>
  /** The name of a row, where that of its column of names does not tell it from others. */
  rowName?: (row: NoInfer<Row>) => string
  /** In the order of display, and of importance where they have no rank. */
  columns: Readonly<Record<Id, ListColumn<NoInfer<Row>, NoInfer<Request>>>>
  /** The titles of columns that have none of their own. */
  titles?: Readonly<Partial<Record<NoInfer<Id>, string>>>
  filters?: RequestFilters<NoInfer<Request>>
  /** Whether the list can be saved as a file, which has the list's title as its name. */
  isExported?: boolean
  /** Draws the dialog of a row that is pressed. */
  opens?: Opens<NoInfer<Row>> | false
  acts?: readonly (Act<NoInfer<Row>> | false)[]
  /** Of the column with the acts, in pixels; without it as wide as their labels. */
  actsWidth?: number
  /** The rights of the person in the enterprise of the list: acts whose call they do not allow are left out. */
  permission?: EnterpriseMembership
  /** The data that acts change. */
  touched?: Touched
  /** False: acts are for one row at a time. */
  isSelectable?: boolean
  /** Makes a new row: in the head of the list, or in place of its rows while there are none. */
  add?: HeadAct | false
  /** Further buttons before it. */
  also?: readonly (HeadAct | false)[]
  /** Behind the button with the three dots. */
  more?: readonly (HeadAct | false)[]
  /** Other controls of the list, in its head. */
  controls?: ReactNode
  /** Whether a button reloads what acts change. */
  isRefreshed?: boolean
  /** Further buttons for the selected rows. */
  bulk?: ((rows: readonly NoInfer<Row>[]) => ReactNode) | undefined
  /** The list is not there while it waits for its first answer, or also while it has no rows. */
  isHiddenWhile?: 'waiting' | 'empty'
  /** Of acts that need a recent proof of the password. */
  useProof?: () => Proof
}

const nothing: readonly never[] = []

/**
 * A list of something: its rows, its columns, and the acts on one row, on several, or on the list. The search, filters,
 * order, pages, selection and open dialogs are its own state: the page around it is drawn once.
 */
export function List<Row, Request, Id extends string>(props: ListProps<Row, Request, Id>): ReactNode {
  const { id, rows, rowKey, rowName, columns, titles, filters, permission, opens, bulk, ...given } = props
  const { acts: ownActs, touched = nothing, add, also = nothing, more = nothing, ...shown } = given
  const {
    actsWidth,
    isSelectable = true,
    isExported,
    isRefreshed,
    isHiddenWhile,
    useProof,
    empty,
    controls,
    ...table
  } = shown
  const own = useTableView({ id, filters: firstFilters(filters) })
  const view = props.view ?? own
  const source = rows.useSource(view.ask, (ask) => wishOf(ask, columns))
  const keyOf = useMemo(() => readerOf(rowKey), [rowKey])
  const acts = useMemo(() => allowed(ownActs ?? nothing, permission), [ownActs, permission])
  const drawnColumns = useMemo(
    () =>
      Object.entries<ListColumn<Row, Request>>(columns).map(([name, column], place) =>
        tableColumn(name, column.title ?? titles?.[name as Id] ?? '', place, column),
      ),
    [columns, titles],
  )
  const nameOf = useMemo(() => rowName ?? nameReader(drawnColumns), [rowName, drawnColumns])
  const { start, dialog } = useActs({ keyOf, nameOf, touched, select: view.select, useProof }, source.rows)
  const actionsTitle = useText().table.actions
  const drawn = useMemo(() => {
    if (acts.every(({ place }) => place === 'bulk')) return drawnColumns
    const words = acts.filter(({ icon, place }) => !icon && !place)
    const draw = (row: Row) => <RowActs {...{ acts, row, start }} name={nameOf(row)} />
    const card = words.length > 1 ? 'foot' : 'actions'
    return [...drawnColumns, actionsColumn<Row>(actionsTitle, actsWidth ?? widthOfActs(acts), draw, card)]
  }, [drawnColumns, acts, actsWidth, actionsTitle, nameOf, start])
  const listFilters = useMemo(() => offeredFilters<Row>(filters), [filters])
  const many = acts.filter(({ asks }) => isSelectable && asks?.many)

  const head = { also: allowed(also, permission), more: allowed(more, permission) }
  const [adding] = add ? allowed([add], permission) : []
  // Found by its label: the page may draw the list again, with other acts of the same names.
  const [openLabel, open] = useState<string>()
  const opened = [adding, ...head.also, ...head.more].find((act) => act?.label === openLabel)
  const begin = (act: HeadAct) => {
    if (act.opens) open(act.label)
    act.run?.()
  }
  const addButton = adding && (
    <Button kind="primary" icon={adding.icon ?? 'plus'} onClick={() => begin(adding)}>
      {adding.label}
    </Button>
  )
  const isNarrowed = view.typed !== '' || Object.keys(view.ask.filters).length > 0
  const isEmpty = source.rows?.length === 0 && !isNarrowed
  const buttons = [
    ...(head.more.length > 0 ? [<HeadMenu key="more" acts={head.more} begin={begin} />] : []),
    ...head.also.map((act) => (
      <Button key={act.label} {...(act.icon && { icon: act.icon })} onClick={() => begin(act)}>
        {act.label}
      </Button>
    )),
    ...(isRefreshed ? [<Refresh key="refresh" touched={touched} isBusy={source.isFetching} />] : []),
    ...(controls ? [<Fragment key="controls">{controls}</Fragment>] : []),
    ...(isEmpty || !addButton ? [] : [<Fragment key="add">{addButton}</Fragment>]),
  ]

  const dialogs = (
    <>
      {dialog}
      {opened?.opens?.(() => open(undefined))}
    </>
  )
  if (isHiddenWhile && !source.rows) return dialogs
  if (isHiddenWhile === 'empty' && isEmpty) return dialogs
  return (
    <>
      <DataTable<Row, RowKey>
        {...table}
        view={view}
        source={source}
        columns={drawn}
        filters={listFilters}
        rowKey={keyOf}
        rowName={nameOf}
        {...(opens && { onOpen: (row: Row) => start.open(opens, row) })}
        {...(isExported && { fileName: table.title })}
        {...((many.length > 0 || bulk) && {
          bulk: (chosen: readonly Row[]) => (
            <>
              <BulkActs acts={many} rows={chosen} start={start} />
              {bulk?.(chosen)}
            </>
          ),
        })}
        empty={addButton ? { ...empty, action: addButton } : empty}
        {...(buttons.length > 0 && { actions: buttons })}
      />
      {dialogs}
    </>
  )
}

/** The function that finds the name of a row: what stands first on its card. */
function nameReader<Row>(columns: readonly TableColumn<Row>[]): (row: Row) => string {
  const column = columns.find(({ card }) => card === 'name') ?? columns[0]
  return (row) => String(column?.value?.(row) ?? '')
}

type AnyFilters = Readonly<Record<string, RequestFilter<string> | undefined>>

function firstFilters(filters: AnyFilters = {}): Filters {
  const first = Object.entries(filters).flatMap(([field, filter]) =>
    filter?.first === undefined ? [] : [[field, { kind: 'choice', chosen: [filter.first] }] as const],
  )
  return Object.fromEntries(first)
}

function offeredFilters<Row>(filters: AnyFilters = {}): ListFilter<Row>[] {
  return Object.entries(filters).flatMap(([id, filter]) =>
    filter
      ? [
          {
            id,
            title: filter.title,
            filter: {
              kind: 'choice',
              choices: filter.choices,
              isSingle: true,
              isInPanel: filter.isInPanel === true,
            } as const,
          },
        ]
      : [],
  )
}

interface HeadMenuProps {
  acts: readonly HeadAct[]
  begin: (act: HeadAct) => void
}

function HeadMenu({ acts, begin }: HeadMenuProps) {
  const { actions } = useText().table
  return (
    <Menu label={actions} trigger={<IconButton icon="more" bordered label={actions} />}>
      {acts.map((act) => (
        <MenuItem key={act.label} {...(act.icon && { icon: act.icon })} onAction={() => begin(act)}>
          {act.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

function Refresh({ touched, isBusy }: { touched: Touched; isBusy: boolean }) {
  const { refresh } = useText().table
  const client = useQueryClient()
  return (
    <Button icon="refresh" busy={isBusy} onClick={() => void reloadTouched(client, touched, undefined)}>
      {refresh}
    </Button>
  )
}

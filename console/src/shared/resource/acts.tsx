import { type EnterpriseMembership, mayCall, type RequestOf, type Route } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react'
import { type CallOptions, call } from '../api/client.ts'
import { formatNumber } from '../i18n/index.ts'
import { Button, IconButton } from '../ui/button.tsx'
import type { RowKey } from '../ui/data/virtual-grid.tsx'
import type { BulkDialogProps } from '../ui/dialogs/bulk-dialog.tsx'
import type { ConfirmDialogProps, Proof } from '../ui/dialogs/confirm-dialog.tsx'
import type { IconName } from '../ui/icon-paths.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu/menu.tsx'
import { RowMenu } from '../ui/people/row-menu.tsx'
import { RowActions } from '../ui/table/cells.tsx'
import type { TableView } from '../ui/table/use-table-view.ts'
import { reloadTouched, type Touched, useAct } from '../ui/use-act.ts'

/** One of several rows that an act is run for. */
interface ManyRow {
  readonly key: RowKey
  readonly name: string
  readonly run: () => Promise<unknown>
}

const ConfirmDialog = lazyPart<ConfirmDialogProps>(
  () => import('../ui/dialogs/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
  'dialog',
)
const BulkDialog = lazyPart<BulkDialogProps<ManyRow>>(
  () => import('../ui/dialogs/bulk-dialog.tsx').then((module) => module.BulkDialog),
  'dialog',
)

/** Draws a dialog about a row. */
export type Opens<Row> = (close: () => void, row: Row) => ReactNode

interface Question<Row> {
  /** Without it the act on one row needs no question. */
  readonly title?: (row: Row) => string
  /** Of several rows; without it the act is offered for one row at a time. */
  readonly many?: (count: number) => string
  /** The word on its button for one row, if it is not that of the act. */
  readonly action?: string
  readonly body: ReactNode | ((rows: readonly Row[]) => ReactNode)
}

/** An act on a row. It opens a dialog, leads to a page, or makes a call: at once, or after a question. */
export interface Act<Row> {
  /** The word on its button. */
  readonly label: string
  /** In place of the word; in a menu before it. */
  readonly icon?: IconName
  /** The name of its button, where the word followed by the row's name does not read well. */
  readonly of?: (row: Row) => string
  readonly look?: 'default' | 'ghost' | 'primary'
  /** False: what it asks about can be reversed as easily. */
  readonly danger?: boolean
  /** In the menu of the row; or only for selected rows. */
  readonly place?: 'menu' | 'bulk'
  /** The rows that it is offered for. */
  readonly fits?: (row: Row) => boolean
  /** The rows for which it is shown, but cannot be chosen at present. */
  readonly isOff?: (row: Row) => boolean
  /** Its call, without which people do not see the act if they may not make it. */
  readonly route?: Route
  readonly opens?: Opens<Row>
  /** The address that its button leads to, in a new tab. */
  readonly leads?: (row: Row) => string
  /** Makes the call. */
  readonly run?: (row: Row, options: CallOptions) => Promise<unknown>
  /** Asked first, about what cannot be undone. */
  readonly asks?: Question<Row>
  readonly done?: string | ((row: Row) => string)
  readonly doneMany?: (count: number) => string
  /** Offered after an act without a question. */
  readonly undo?: (row: Row) => Promise<unknown>
  /** The data that it changes, if all acts of the list change other data. */
  readonly touched?: Touched
  /** Runs when the dialog of its question closes. */
  readonly onClosed?: () => void
}

/** The part of an act that makes one call. */
export function calls<R extends Route, Row>(
  route: R,
  requestOf: (row: Row) => RequestOf<R>,
): Required<Pick<Act<Row>, 'route' | 'run'>> {
  return { route, run: (row, options) => call(route, requestOf(row), options) }
}

/** The acts that a member of an enterprise may make; without a membership it is the page that decides. */
export function allowed<A extends { readonly route?: Route }>(
  acts: readonly (A | false)[],
  permission: EnterpriseMembership | undefined,
): A[] {
  return acts.filter(
    (act): act is A =>
      act !== false && (permission === undefined || !act.route || mayCall(act.route, permission)),
  )
}

interface ActsOptions<Row> {
  readonly keyOf: (row: Row) => RowKey
  readonly nameOf: (row: Row) => string
  /** Reloaded after each attempt. */
  readonly touched: Touched
  /** Unselects the rows that were done. */
  readonly select: TableView['select']
  readonly useProof?: (() => Proof) | undefined
}

/** Begins the acts of rows. */
export interface ActsStart<Row> {
  readonly one: (act: Act<Row>, row: Row) => void
  readonly many: (act: Act<Row>, rows: readonly Row[]) => void
  readonly open: (opens: Opens<Row>, row: Row) => void
}

type Started<Row> =
  | { readonly kind: 'opened'; readonly opens: Opens<Row>; readonly row: Row }
  | { readonly kind: 'asked'; readonly act: Act<Row>; readonly row: Row }
  | { readonly kind: 'many'; readonly act: Act<Row>; readonly rows: readonly Row[] }

const noProof: Proof = { proved: (work) => work(), dialog: null }
const useNoProof = () => noProof
const noNotice: CallOptions = { noNotice: true }

/**
 * Runs acts on rows, with the dialogs that they need; `dialog` has to be rendered. `rows`: as they are now, so that an
 * open dialog shows the present state of its row.
 */
export function useActs<Row>(options: ActsOptions<Row>, rows: readonly Row[] | undefined) {
  const { keyOf, nameOf, touched, select, useProof = useNoProof } = options
  const client = useQueryClient()
  const proof = useProof()
  const [started, setStarted] = useState<Started<Row>>()
  const { mutate } = useAct<{ act: Act<Row>; row: Row }>({
    call: ({ act, row }) => act.run?.(row, {}) ?? Promise.resolve(),
    done: ({ act, row }) => doneOf(act, row),
    undo: ({ act: { undo }, row }) => undo && (() => undo(row)),
    touched: ({ act }) => {
      const changed = act.touched ?? touched
      return typeof changed === 'function' ? changed() : changed
    },
  })
  // A person who gave no proof for one row is not asked again for the others.
  const isUnproved = useRef(false)
  async function provenRun(work: () => Promise<unknown>) {
    const done = isUnproved.current ? undefined : await proof.proved(async () => [await work()])
    if (done) return
    isUnproved.current = true
    throw new Error('The person gave no proof of their password.')
  }
  const start = useMemo(
    (): ActsStart<Row> => ({
      one(act, row) {
        if (act.opens) setStarted({ kind: 'opened', opens: act.opens, row })
        else if (act.asks?.title) setStarted({ kind: 'asked', act, row })
        else mutate({ act, row })
      },
      many(act, chosen) {
        isUnproved.current = false
        setStarted({ kind: 'many', act, rows: chosen })
      },
      open: (opens, row) => setStarted({ kind: 'opened', opens, row }),
    }),
    [mutate],
  )
  const now = (row: Row) => rows?.find((each) => keyOf(each) === keyOf(row)) ?? row
  const close = () => {
    setStarted(undefined)
    if (started && started.kind !== 'opened') started.act.onClosed?.()
  }

  function draw(): ReactNode {
    if (!started) return null
    if (started.kind === 'opened') return started.opens(close, now(started.row))
    const { act } = started
    const { label, danger = true, asks, run } = act
    if (!asks) return null
    const reload = () => reloadTouched(client, act.touched ?? touched, undefined)
    const bodyOf = (about: readonly Row[]) => (typeof asks.body === 'function' ? asks.body(about) : asks.body)
    if (started.kind === 'asked') {
      const { row } = started
      return (
        <ConfirmDialog
          confirmation={{
            title: asks.title?.(row) ?? label,
            body: bodyOf([row]),
            ...{ action: asks.action ?? label, danger, done: doneOf(act, row), proof },
            call: async () => run?.(row, noNotice),
          }}
          onClose={close}
          onSettled={reload}
        />
      )
    }
    return (
      <>
        <BulkDialog
          bulk={{
            title: asks.many?.(started.rows.length) ?? label,
            body: bodyOf(started.rows),
            ...{ action: label, danger },
            rows: started.rows.map((row) => ({
              key: keyOf(row),
              name: nameOf(row),
              run: () => provenRun(async () => run?.(row, noNotice)),
            })),
            keyOf: ({ key }) => key,
            nameOf: ({ name }) => name,
            run: (row) => row.run(),
            done: act.doneMany?.(started.rows.length) ?? doneOf(act, started.rows[0]),
          }}
          view={{ select }}
          onClose={close}
          onSettled={() => {
            isUnproved.current = false
            return reload()
          }}
        />
        {proof.dialog}
      </>
    )
  }

  return { start, dialog: draw() }
}

function doneOf<Row>({ done }: Act<Row>, row: Row | undefined): string | undefined {
  return typeof done === 'function' ? row && done(row) : done
}

/** Pixels: of a button with an icon, of what surrounds a word, of a Latin letter, and of the column's edges. */
const widths = { icon: 32, frame: 34, letter: 6.5, edges: 20 }
/** Characters from here on are as wide as two letters. */
const firstWide = 0x2e80

/** The width of the column with the acts, in pixels. Of the words that only some rows have, the widest one counts. */
export function widthOfActs<Row>(acts: readonly Act<Row>[]): number {
  const words = acts.filter(({ icon, place }) => !icon && !place)
  const icons = acts.filter(({ icon, place }) => icon && !place)
  const menu = acts.some(({ place }) => place === 'menu') ? 1 : 0
  const widthOf = ({ label }: Act<Row>) => {
    const letters = [...label].reduce((sum, each) => sum + (each.charCodeAt(0) < firstWide ? 1 : 2), 0)
    return widths.frame + Math.ceil(letters * widths.letter)
  }
  const always = words.filter(({ fits }) => !fits).map(widthOf)
  const sometimes = words.filter(({ fits }) => fits).map(widthOf)
  const ofWords = always.reduce((sum, width) => sum + width, 0) + Math.max(0, ...sometimes)
  return widths.edges + (icons.length + menu) * widths.icon + ofWords
}

interface RowActsProps<Row> {
  acts: readonly Act<Row>[]
  row: Row
  name: string
  start: ActsStart<Row>
}

/** The buttons of a row, and its menu. */
export function RowActs<Row>({ acts, row, name, start }: RowActsProps<Row>) {
  const offered = acts.filter(({ fits, place }) => place !== 'bulk' && fits?.(row) !== false)
  if (offered.length === 0) return null
  const inMenu = offered.filter(({ place }) => place === 'menu')
  return (
    <RowActions>
      {offered
        .filter(({ place }) => place === undefined)
        .map((act) => (
          <ActButton key={act.label} {...{ act, row, name, start }} />
        ))}
      {inMenu.length > 0 && <RowMenu name={name}>{menuLines(inMenu, row, start)}</RowMenu>}
    </RowActions>
  )
}

/** The acts as lines of a menu, the dangerous ones set apart. */
function menuLines<Row>(acts: readonly Act<Row>[], row: Row, start: ActsStart<Row>): ReactNode {
  return acts.map((act, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: acts keep their places, and two may have one label
    <Fragment key={index}>
      {act.danger && index > 0 && <MenuLine />}
      <MenuItem
        {...(act.icon && { icon: act.icon })}
        danger={act.danger === true}
        disabled={act.isOff?.(row) === true}
        onAction={() => start.one(act, row)}
      >
        {act.label}
      </MenuItem>
    </Fragment>
  ))
}

function ActButton<Row>({ act, row, name, start }: Omit<RowActsProps<Row>, 'acts'> & { act: Act<Row> }) {
  const { label, icon, of, leads, look = act.asks ? 'ghost' : 'default' } = act
  if (leads)
    return (
      <LinkButton size="small" href={leads(row)} target="_blank" rel="noopener">
        {label}
        <span className="sr-only">{name}</span>
      </LinkButton>
    )
  const press = { disabled: act.isOff?.(row) === true, onClick: () => start.one(act, row) }
  if (icon) return <IconButton icon={icon} size="small" label={of?.(row) ?? `${label}: ${name}`} {...press} />
  return (
    <Button kind={look} size="small" aria-label={of?.(row)} {...press}>
      {label}
      {!of && <span className="sr-only">{name}</span>}
    </Button>
  )
}

interface PageActsProps<Row> extends Pick<ActsOptions<Row>, 'touched' | 'useProof'> {
  acts: readonly (Act<Row> | false)[]
  /** The thing that the page is about. */
  row: Row
  name: string
  /** The name of the menu that they stand in; without it each is a button. */
  menu?: string
}

/** The acts of a list's row, on the row's own page. */
export function PageActs<Row>({ acts, row, name, touched, useProof, menu }: PageActsProps<Row>) {
  const { start, dialog } = useActs<Row>(
    { keyOf: () => name, nameOf: () => name, touched, select: () => {}, useProof },
    [row],
  )
  const offered = allowed(acts, undefined).filter(({ fits }) => fits?.(row) !== false)
  return (
    <>
      {menu === undefined ? (
        offered.map((act) => (
          <Button key={act.label} onClick={() => start.one(act, row)}>
            {act.label}
          </Button>
        ))
      ) : (
        <Menu label={menu} placement="bottom end" trigger={<IconButton icon="more" label={menu} />}>
          {menuLines(offered, row, start)}
        </Menu>
      )}
      {dialog}
    </>
  )
}

interface BulkActsProps<Row> {
  acts: readonly Act<Row>[]
  rows: readonly Row[]
  start: ActsStart<Row>
}

/** The buttons for the selected rows: acts that fit only some of them say how many. */
export function BulkActs<Row>({ acts, rows, start }: BulkActsProps<Row>) {
  return acts.map((act) => {
    const { label, asks, fits } = act
    const fitting = fits ? rows.filter(fits) : rows
    if (!asks?.many || fitting.length === 0) return null
    return (
      <Button key={label} size="small" onClick={() => start.many(act, fitting)}>
        {label}
        {fitting.length < rows.length && ` (${formatNumber(fitting.length)})`}
      </Button>
    )
  })
}

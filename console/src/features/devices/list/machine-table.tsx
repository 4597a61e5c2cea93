import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { machineSorts } from '../../../entities/machine/machine-order.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { usePreferences } from '../../../shared/session/preferences.ts'
import { VirtualGrid, type VirtualGridHandle } from '../../../shared/ui/data/virtual-grid.tsx'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import frame from '../../../shared/ui/list-frame.module.css'
import { useListOnPage } from '../../../shared/ui/list-on-page.ts'
import { openShortcuts } from '../../../shared/ui/shortcuts.ts'
import { gridColumns } from '../../../shared/ui/table/grid-columns.tsx'
import { clampWidth } from '../../../shared/ui/table/settings.ts'
import { shownColumns } from '../../../shared/ui/table/shown-columns.ts'
import { useKeptFocus } from '../../../shared/ui/table/use-kept-focus.ts'
import { useSelection } from '../../../shared/ui/table/use-selection.tsx'
import { ViewOptions } from '../../../shared/ui/table/view-options.tsx'
import { useVastScreen } from '../../../shared/ui/use-tight-screen.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { useDeviceSpace } from '../space.ts'
import { ExportDevices } from './export-devices.tsx'
import { ListBanners } from './list-banners.tsx'
import { ListHead } from './list-head.tsx'
import type { MachineListProps } from './list-props.ts'
import { ListFailed, NoMachines, NoMatch } from './list-states.tsx'
import { machineColumns } from './machine-columns.tsx'
import { MachineSummaryStrip } from './machine-summary.tsx'
import css from './machine-table.module.css'
import { MachineToolbar } from './machine-toolbar.tsx'

/** Pixels of the last hour; a vast window has room to show it better. */
const sparkWidths = { usual: 72, vast: 132 }
/** A box in the margin of the row, because the data needs the width. */
const selectWidth = 32
const rowHeights = { normal: 40, compact: 30 }
const waitingRows = 14
const rowKey = (machine: Machine) => machine.id
const rowName = (machine: Machine) => machine.name
const isSortable = ({ id }: { readonly id: string }) => machineSorts.some((sort) => sort === id)

/** The list on a wide screen. */
export function MachineTable(props: MachineListProps) {
  const { view, openId, activeKey, onOpen, selected } = props
  const text = useText()
  const t = text.machines
  const grid = useRef<VirtualGridHandle>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  useListOnPage(list)
  const order = useMemo(() => view.rows.map(rowKey), [view.rows])
  const keptFocus = useKeptFocus(order, 0, (next) => {
    if (next === undefined) return list.current?.focus({ preventScroll: true })
    props.onActiveChange(next)
    grid.current?.focus()
  })
  const { rowDensity = 'normal' } = usePreferences()
  const types = useMachineTypes()
  const hasRemarks = useMemo(() => view.all.some((machine) => machine.remark !== ''), [view.all])
  const hasGroups = useMemo(() => view.groups.some((group) => group.count > 0), [view.groups])
  const hasAddresses = useMemo(() => view.all.some((machine) => machine.address !== ''), [view.all])
  const place = hasGroups ? 'group' : hasRemarks ? 'remark' : null
  const space = useDeviceSpace()
  const hasPane = openId !== null
  const isVast = useVastScreen()
  const sparkWidth = isVast && !hasPane ? sparkWidths.vast : sparkWidths.usual
  const navigate = useNavigate()
  const onKeys = useCallback(
    (machineId: number) => void navigate({ to: '/administrateCenter', search: { machineId } }),
    [navigate],
  )
  const all = useMemo(
    () =>
      machineColumns({
        text,
        types,
        onOpen,
        onKeys,
        place,
        hasAddresses,
        isCompact: rowDensity === 'compact',
        space,
        hasPane,
        sparkWidth,
      }),
    [text, types, onOpen, onKeys, place, hasAddresses, rowDensity, space, hasPane, sparkWidth],
  )
  const { settings, arrange } = view.arrangement
  const selection = useSelection({
    ...{ rows: view.rows, rowKey, rowName, selected },
    select: props.select,
    width: selectWidth,
  })
  const shown = useMemo(() => shownColumns(all, settings), [all, settings])
  const columns = useMemo(
    () => gridColumns({ columns: shown, settings, isSortable, selectColumn: selection.column }),
    [shown, settings, selection.column],
  )

  // Also when it was opened from the address, or with J and K from beyond what is seen.
  const isReady = view.status === 'ready'
  useEffect(() => {
    if (isReady && activeKey !== null) grid.current?.scrollToKey(activeKey)
  }, [activeKey, isReady])

  function empty(): ReactNode {
    if (view.status === 'failed') return <ListFailed view={view} />
    return view.isFiltered ? <NoMatch view={view} /> : <NoMachines onAdd={props.onAdd} />
  }

  return (
    <Stack gap={12} grows className={frame.column}>
      <ListHead view={view} onAdd={props.onAdd} />
      <ListBanners />
      <MachineSummaryStrip summary={view.summary} status={view.status} />
      <section
        ref={list}
        tabIndex={-1}
        className={frame.panel}
        data-density={rowDensity}
        aria-label={t.list.label}
        {...keptFocus}
      >
        <MachineToolbar view={view} searchRef={searchField}>
          <ExportDevices view={view} columns={shown} text={text} />
          <ViewOptions isBordered columns={all} arrangement={view.arrangement} />
        </MachineToolbar>
        <div className={css.rows} {...props.lookingProps}>
          <VirtualGrid
            ref={grid}
            label={t.list.label}
            columns={columns}
            rows={view.rows}
            rowKey={rowKey}
            rowHeight={rowHeights[rowDensity]}
            selectedKey={openId}
            activeKey={activeKey}
            onActiveChange={props.onActiveChange}
            onOpen={onOpen}
            sort={view.sort}
            onSort={view.toggleSort}
            selection={selection}
            onResize={(columnId, width) =>
              arrange({ ...settings, widths: { ...settings.widths, [columnId]: clampWidth(width) } })
            }
            onVisibleChange={props.onVisibleChange}
            waiting={view.status === 'loading' ? waitingRows : undefined}
            empty={<div className={css.empty}>{empty()}</div>}
          />
        </div>
        {selection.rows.length > 0 ? (
          <BulkBar machines={selection.rows} select={props.select} onBulk={props.onBulk} />
        ) : (
          <footer className={css.foot}>
            <span role="status">
              {isReady && t.list.count(formatNumber(view.rows.length), formatNumber(view.all.length))}
            </span>
            <button type="button" className={css.keys} onClick={openShortcuts}>
              <span className="sr-only">{text.shortcuts.button}:</span>
              <kbd>J</kbd>
              <kbd>K</kbd>
              {t.list.keys.move}
              <kbd>Enter</kbd>
              {t.list.keys.open}
              <kbd>Esc</kbd>
              {t.list.keys.close}
              <kbd>?</kbd>
              {t.list.keys.all}
            </button>
          </footer>
        )}
      </section>
    </Stack>
  )
}

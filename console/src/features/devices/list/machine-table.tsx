import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { liveValues } from '../../../entities/machine/live-values.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { useIsLive } from '../../../shared/api/live.ts'
import { formatClock, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { usePreferences } from '../../../shared/session/preferences.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { classes } from '../../../shared/ui/classes.ts'
import { VirtualGrid, type VirtualGridHandle } from '../../../shared/ui/data/virtual-grid.tsx'
import { openShortcuts } from '../../../shared/ui/shortcuts.ts'
import { useNow } from '../../../shared/ui/use-now.ts'
import { useVastScreen } from '../../../shared/ui/use-tight-screen.ts'
import { mayAdd, useDeviceSpace } from '../space.ts'
import { ListBanners } from './list-banners.tsx'
import type { MachineListProps } from './list-props.ts'
import { ListFailed, NoMachines, NoMatch, SkeletonRows } from './list-states.tsx'
import { machineColumns } from './machine-columns.tsx'
import { MachineSummaryStrip } from './machine-summary.tsx'
import css from './machine-table.module.css'
import { MachineToolbar } from './machine-toolbar.tsx'
import { useSpaceWords } from './use-space-words.ts'

/** Pixels of the last hour; a vast window has room to show it better. */
const sparkWidths = { usual: 72, vast: 132 }
const rowHeights = { normal: 40, compact: 30 }
const rowKey = (machine: Machine) => machine.id

/** The list on a wide screen. */
export function MachineTable(props: MachineListProps) {
  const { view, openId, activeKey, onOpen } = props
  const text = useText()
  const t = text.machines
  const grid = useRef<VirtualGridHandle>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const { rowDensity = 'normal' } = usePreferences()
  const types = useMachineTypes()
  const hasRemarks = useMemo(() => view.all.some((machine) => machine.remark !== ''), [view.all])
  const hasGroups = useMemo(() => view.groups.some((group) => group.count > 0), [view.groups])
  const place = hasGroups ? 'group' : hasRemarks ? 'remark' : null
  const space = useDeviceSpace()
  const words = useSpaceWords()
  const hasPane = openId !== null
  const isVast = useVastScreen()
  const sparkWidth = isVast && !hasPane ? sparkWidths.vast : sparkWidths.usual
  const navigate = useNavigate()
  const onKeys = useCallback(
    (machineId: number) => void navigate({ to: '/administrateCenter', search: { machineId } }),
    [navigate],
  )
  const columns = useMemo(
    () =>
      machineColumns({
        text,
        types,
        onOpen,
        onKeys,
        place,
        isCompact: rowDensity === 'compact',
        space,
        hasPane,
        sparkWidth,
      }),
    [text, types, onOpen, onKeys, place, rowDensity, space, hasPane, sparkWidth],
  )

  // Also when it was opened from the address, or with J and K from beyond what is seen.
  const isReady = view.status === 'ready'
  useEffect(() => {
    if (isReady && activeKey !== null) grid.current?.scrollToKey(activeKey)
  }, [activeKey, isReady])

  function empty(): ReactNode {
    if (view.status === 'loading') return <SkeletonRows height={rowHeights[rowDensity]} />
    if (view.status === 'failed') return <ListFailed view={view} />
    return view.isFiltered ? <NoMatch view={view} /> : <NoMachines onAdd={props.onAdd} />
  }

  return (
    <div className={css.column}>
      <header className={css.head}>
        <h1>{words.title}</h1>
        {isReady && <UpdatedNote answeredAt={view.updatedAt} />}
        <span className={css.space} />
        {mayAdd(space) && (
          <Button kind="primary" icon="plus" onClick={() => props.onAdd()}>
            {words.add}
          </Button>
        )}
      </header>
      <ListBanners />
      <MachineSummaryStrip summary={view.summary} status={view.status} />
      <section className={css.panel} data-density={rowDensity} aria-label={t.list.label}>
        <MachineToolbar view={view} searchRef={searchField} />
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
            onVisibleChange={props.onVisibleChange}
            busy={view.status === 'loading'}
            empty={<div className={css.empty}>{empty()}</div>}
          />
        </div>
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
      </section>
    </div>
  )
}

/** When anything was last heard: an answer, or a pushed value. */
function UpdatedNote({ answeredAt }: { answeredAt: number }) {
  const t = useText().machines
  const isLive = useIsLive()
  useNow(1_000)
  const clock = formatClock(Math.max(answeredAt, liveValues.heardAt))
  return (
    <span className={classes(css.updated, !isLive && css.old)}>
      {isLive ? t.updated(clock) : t.notLive(clock)}
    </span>
  )
}
